import { expect, test } from 'vitest'
import { composeMail, exampleContents, mailKinds } from './compose-mail.ts'
import { type MailContent, mailLanguages } from './mail-words.ts'

const origin = 'https://school.example'

test.each(mailKinds.flatMap((kind) => mailLanguages.map((language) => [kind, language] as const)))(
  'the mail %s in %s has its link once in text and HTML, and loads nothing',
  (kind, language) => {
    const content = { kind, ...exampleContents(origin)[kind] } as MailContent
    const { subject, text, html } = composeMail(content, language)
    expect(subject).not.toBe('')
    expect(text.split(content.link)).toHaveLength(2)
    expect(html).toContain(`<a href="${content.link}">`)
    expect(html).not.toMatch(/<(img|script|link|style|iframe)|src=|url\(/i)
    expect(/\p{Script=Han}/u.test(subject + text)).toBe(language === 'zh')
  },
)

test('names cannot add HTML or break the subject', () => {
  const school = '<b>A</b>\r\nBcc: x@y.example'
  const { subject, html } = composeMail(
    { kind: 'reset', ...exampleContents(origin).reset, school, name: '<script>' },
    'en',
  )
  expect(subject).not.toMatch(/[\r\n]/)
  expect(html).not.toMatch(/<b>|<script>/)
})

test('an alert about a quota names it', () => {
  const content = {
    kind: 'alert',
    alert: 'quota_used_up',
    school: 'A',
    quota: 'rows',
    link: `${origin}/settings`,
  } as const
  expect(composeMail(content, 'en').text).toContain('records')
  expect(composeMail(content, 'zh').text).toContain('记录数')
})
