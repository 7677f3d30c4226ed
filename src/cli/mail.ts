import { Argument, Command, Option } from 'commander'
import { composeMail, exampleContents, mailKinds } from '../access/mail/compose-mail.ts'
import {
  type MailContent,
  type MailKind,
  type MailLanguage,
  mailLanguages,
} from '../access/mail/mail-words.ts'
import { type MailServer, sendMail, usualTimeouts } from '../access/mail/send-mail.ts'
import type { Config } from '../config.ts'
import { newId } from '../contract/new-id.ts'
import { type Answer, print } from './output.ts'
import type { Settings } from './session.ts'

export function createCommand(settings: Settings): Command {
  const mail = new Command('mail')
  const language = () =>
    new Option('--language <language>', 'language of the mail').choices(mailLanguages).default('en')
  mail
    .command('preview')
    .description('Print a mail as its reader gets it, with example values.')
    .addArgument(new Argument('<kind>', 'kind of mail').choices(mailKinds))
    .addOption(language())
    .action((kind: MailKind, options: { language: MailLanguage; json?: boolean }) =>
      print(preview(kind, options.language, settings()), options.json),
    )
  mail
    .command('test')
    .description('Send a test mail, and print the answer of the mail server.')
    .requiredOption('--to <address>', 'e-mail address of the recipient')
    .addOption(language())
    .action(async ({ to, language, json }: { to: string; language: MailLanguage; json?: boolean }) =>
      print(await test(to, language, settings()), json),
    )
  return mail
}

function preview(kind: MailKind, language: MailLanguage, config: Config): Answer {
  const { subject, text, html } = exampleMail(kind, language, config)
  return { json: { kind, language, subject, text, html }, text: `${subject}\n\n${text}` }
}

/** Sends the mail of an invitation. Its link leads nowhere. */
async function test(to: string, language: MailLanguage, config: Config): Promise<Answer> {
  const server = mailServerOf(config)
  const address = to.trim()
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(address)) throw new Error('The address must be an e-mail address.')
  const composed = exampleMail('invitation', language, config)
  const message = { ...composed, mail_id: newId(), to: { name: '', address }, language }
  const { problem, status, reply } = await sendMail(server, message, usualTimeouts)
  const { host } = server.url
  if (problem !== null) throw new Error(`The mail was not sent by ${host} (${problem}): ${reply}`)
  return { json: { server: host, status, reply }, text: `${host} accepted the mail: ${reply}` }
}

function mailServerOf({ smtpUrl, mailFrom }: Config): MailServer {
  if (!smtpUrl || !mailFrom)
    throw new Error(
      'No mail server is set. Set MATRICULA_SMTP_URL, MATRICULA_MAIL_FROM and MATRICULA_PUBLIC_URL.',
    )
  return { url: smtpUrl, from: mailFrom }
}

function exampleMail(kind: MailKind, language: MailLanguage, { publicUrl }: Config) {
  const contents = exampleContents(publicUrl?.origin ?? 'https://matricula.example.edu')
  return composeMail({ kind, ...contents[kind] } as MailContent, language)
}
