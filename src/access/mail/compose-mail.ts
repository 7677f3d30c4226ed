import { escapeHtml } from '../../contract/escape-html.ts'
import { namesOf } from '../../contract/record-of.ts'
import {
  type MailContent,
  type MailContents,
  type MailKind,
  type MailLanguage,
  mailWords,
  type Words,
} from './mail-words.ts'

/** A mail as its reader sees it. */
export interface ComposedMail {
  subject: string
  text: string
  html: string
}

/** Plain text, and the same as simple HTML: no image, no style sheet, no tracking. */
export function composeMail(content: MailContent, language: MailLanguage): ComposedMail {
  const { subject, before, after } = (mailWords[language][content.kind] as (content: MailContent) => Words)(
    content,
  )
  const { link } = content
  const paragraphs = before.map((line) => `<p>${escapeHtml(line)}</p>`)
  const button = `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`
  const closing = after.map((line) => `<p>${escapeHtml(line)}</p>`)
  return {
    subject: oneLine(subject),
    text: `${[...before, link, ...after].join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"></head><body>`,
      ...[...paragraphs, button, ...closing],
      '</body></html>',
    ].join('\n'),
  }
}

/** A header is one line. Names of schools are, too, but this does not rely on it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** Example contents: previews of the command line. */
export function exampleContents(origin: string): MailContents {
  const school = 'Northgate College'
  const until = '2026-11-25'
  const link = `${origin}/welcome#EXAMPLE`
  return {
    invitation: { school, name: 'Wang Fang', role: 'counsellor', link, until },
    reset: { school, name: 'Wang Fang', link, until },
    payment_request: {
      ...{ school, price: 320_000, currency: 'CNY', reference: 'RF78 0001 2345 6', note: '', until },
      link: `${origin}/pay/northgate/EXAMPLE`,
    },
    alert: {
      ...{ school, alert: 'webhook_disabled', host: 'receiver.example', reason: 'failing' },
      link: `${origin}/settings?tab=webhooks`,
    },
  }
}

export const mailKinds: MailKind[] = namesOf(mailWords.en)
