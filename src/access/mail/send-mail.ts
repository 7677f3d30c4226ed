import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { ComposedMail } from './compose-mail.ts'
import type { MailLanguage } from './mail-words.ts'
import type { Recipient } from './queue-mail.ts'

/** The mail server of the operator, and the sender. */
export interface MailServer {
  url: URL
  from: Recipient
}

/** Problems of sending, which staff see. They name nobody. */
export const mailProblems = [
  'refused',
  'deferred',
  'login',
  'timeout',
  'unreachable',
  'unknown',
  'unreadable',
] as const
export type MailProblem = (typeof mailProblems)[number]

export interface Outcome {
  /** Null: sent. */
  problem: MailProblem | null
  /** The reply code of the server, if it replied. */
  status: number | null
  /** The reply or the fault, for the operator. It may name the recipient, and is not stored. */
  reply: string
  /** Whether another attempt is useless, or might send the mail twice. */
  isFinal: boolean
}

interface Message extends ComposedMail {
  mail_id: string
  to: Recipient
  language: MailLanguage
}

/** For each step, and for all of them together. */
export interface MailTimeouts {
  stepMs: number
  totalMs: number
}

export const usualTimeouts: MailTimeouts = { stepMs: 10_000, totalMs: 45_000 }

/**
 * Sends a mail. `onHandOver` is awaited after the server has let us in, before it gets the mail; if it throws, the mail is
 * not sent.
 */
export async function sendMail(
  { url, from }: MailServer,
  message: Message,
  timeouts: MailTimeouts,
  onHandOver: () => Promise<void> = async () => undefined,
): Promise<Outcome> {
  const connection = new SMTPConnection(optionsOf(url, timeouts))
  const failure = Promise.withResolvers<never>()
  // It may fail while nothing awaits it.
  failure.promise.catch(() => undefined)
  connection.on('error', failure.reject)
  const deadline = setTimeout(() => {
    failure.reject(Object.assign(new Error('The mail server took too long.'), { code: 'ETIMEDOUT' }))
    connection.close()
  }, timeouts.totalMs)
  const step = <Done>(start: (done: (error?: Error | null, result?: Done) => void) => void) => {
    const { promise, resolve, reject } = Promise.withResolvers<Done | undefined>()
    start((error, result) => (error ? reject(error) : resolve(result)))
    return Promise.race([promise, failure.promise])
  }
  let isHandedOver = false
  try {
    const raw = await compile(from, message)
    await step((done) => connection.connect(done))
    const { username: user, password: pass } = url
    if (user !== '')
      await step((done) =>
        connection.login({ user: decodeURIComponent(user), pass: decodeURIComponent(pass) }, done),
      )
    await onHandOver()
    // Read once the server accepts the text, never before.
    const text = new Readable({
      read() {
        isHandedOver = true
        this.push(raw)
        this.push(null)
      },
    })
    const envelope = { from: from.address, to: [message.to.address] }
    const sent = await step<{ response: string }>((done) => connection.send(envelope, text, done as never))
    connection.quit()
    return { problem: null, status: replyCodeOf(sent!.response), reply: sent!.response, isFinal: true }
  } catch (error) {
    return outcomeOf(error as MailError, isHandedOver)
  } finally {
    clearTimeout(deadline)
    connection.close()
  }
}

/** A password is sent over TLS only, except to this machine. Without one, TLS is used where the server offers it. */
function optionsOf({ protocol, hostname, port, username }: URL, { stepMs }: MailTimeouts) {
  const isSecure = protocol === 'smtps:'
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && username !== '' && !isHere,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
  }
}

/** The library folds and encodes headers, so that no value can begin another header. */
function compile(from: Recipient, { mail_id, to, language, subject, text, html }: Message): Promise<Buffer> {
  const composer = new MailComposer({
    ...{ from, to: [to], subject, text, html },
    // The same for every attempt, so that a mailbox that gets two can show one.
    messageId: `<${mail_id}@${from.address.split('@').at(-1)}>`,
    headers: { 'Content-Language': language, 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

type MailError = Error & { code?: string; responseCode?: number; command?: string; response?: string }

function outcomeOf(error: MailError, isHandedOver: boolean): Outcome {
  const { code, responseCode, command } = error
  const status = responseCode ?? null
  const described = (problem: MailProblem, isFinal = false) => ({
    ...{ problem, status, isFinal },
    reply: error.response ?? error.message,
  })
  if (code === 'EAUTH') return described('login')
  if (status === null && isHandedOver) return described('unknown', true)
  if (status !== null && status >= 500 && (command === 'RCPT TO' || command === 'DATA'))
    return described('refused', true)
  if (status !== null) return described('deferred')
  return described(code === 'ETIMEDOUT' ? 'timeout' : 'unreachable')
}

function replyCodeOf(response: string): number | null {
  const code = Number.parseInt(response, 10)
  return Number.isNaN(code) ? null : code
}
