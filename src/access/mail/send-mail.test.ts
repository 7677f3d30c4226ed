import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { startMailServer, type TestMailServer } from '../../../test/harness/mail-server.ts'
import { composeMail, exampleContents } from './compose-mail.ts'
import { sendMail } from './send-mail.ts'

const from = { name: 'Northgate Office', address: 'office@school.example' }
const to = { name: '王芳', address: 'wang.fang@mail.example' }
const timeouts = { stepMs: 2000, totalMs: 4000 }
const composed = composeMail(
  { kind: 'invitation', ...exampleContents('https://school.example').invitation },
  'zh',
)
const message = { ...composed, mail_id: 'id1', to, language: 'zh' as const }

let server: TestMailServer
afterEach(() => server?.close())

describe('a mail', () => {
  test('arrives with text, HTML and one recipient, and is marked as automatic', async () => {
    server = await startMailServer()
    const outcome = await sendMail({ url: server.url, from }, message, timeouts)
    expect(outcome).toMatchObject({ problem: null, status: 250 })
    const [{ raw, ...envelope }] = server.received as [(typeof server.received)[0]]
    expect(envelope).toEqual({ from: from.address, to: [to.address] })
    expect(raw).toMatch(/^Message-ID: <id1@school.example>\r$/m)
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(raw).toContain('Content-Type: text/plain; charset=utf-8')
    expect(raw).toContain('Content-Type: text/html; charset=utf-8')
  })

  test('cannot be given further headers or recipients by a name or a subject', async () => {
    server = await startMailServer()
    const nasty = 'A\r\nBcc: victim@mail.example\r\n\r\nbody'
    const hostile = composeMail(
      { kind: 'invitation', ...exampleContents('https://x.example').invitation, school: nasty, name: nasty },
      'en',
    )
    await sendMail(
      { url: server.url, from: { ...from, name: nasty } },
      { ...message, ...hostile, to: { name: nasty, address: to.address } },
      timeouts,
    )
    const [{ raw, to: recipients }] = server.received as [(typeof server.received)[0]]
    expect(recipients).toEqual([to.address])
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
    expect(head).not.toMatch(/^Bcc:/im)
    expect(head).toMatch(/^To: /m)
  })

  test('logs in where the address of the server has a user', async () => {
    server = await startMailServer({ login: { user: 'me@school.example', pass: 'p@ss/word' } })
    const url = new URL(server.url)
    url.username = encodeURIComponent('me@school.example')
    url.password = encodeURIComponent('p@ss/word')
    expect(await sendMail({ url, from }, message, timeouts)).toMatchObject({ problem: null })
    url.password = 'wrong'
    const refused = await sendMail({ url, from }, message, timeouts)
    expect(refused).toMatchObject({ problem: 'login', status: 535, isFinal: false })
  })
})

describe('a server that', () => {
  test.each([
    [
      'refuses the recipient',
      { refusesRecipient: { code: 550, text: 'no such user' } },
      'refused',
      550,
      true,
    ],
    ['refuses the message', { refusesMessage: { code: 554, text: 'spam' } }, 'refused', 554, true],
    ['is too busy', { refusesRecipient: { code: 451, text: 'later' } }, 'deferred', 451, false],
    ['drops the connection', { drops: 'connection' }, 'unreachable', null, false],
    // The message may have been sent: another attempt could send it twice.
    ['drops the connection with the message in hand', { drops: 'message' }, 'unknown', null, true],
    ['never answers the message', { isSilent: true }, 'unknown', null, true],
  ] as const)('%s', async (_, manners, problem, status, isFinal) => {
    server = await startMailServer(manners)
    const brief = { stepMs: 400, totalMs: 800 }
    const outcome = await sendMail({ url: server.url, from }, message, brief)
    expect(outcome).toMatchObject({ problem, status, isFinal })
  })

  test('never greets times out', async () => {
    const mute = createServer(() => undefined)
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const { port } = mute.address() as { port: number }
    const url = new URL(`smtp://127.0.0.1:${port}`)
    const beganMs = performance.now()
    const outcome = await sendMail({ url, from }, message, { stepMs: 300, totalMs: 600 })
    expect(outcome).toMatchObject({ problem: 'timeout', isFinal: false })
    expect(performance.now() - beganMs).toBeLessThan(3000)
    mute.close()
  })

  test('is not there', async () => {
    const url = new URL('smtp://127.0.0.1:1')
    expect(await sendMail({ url, from }, message, timeouts)).toMatchObject({ problem: 'unreachable' })
  })
})

test('a failure before the handover prevents the mail', async () => {
  server = await startMailServer()
  const outcome = await sendMail({ url: server.url, from }, message, timeouts, async () => {
    throw new Error('withdrawn')
  })
  expect(outcome).toMatchObject({ isFinal: false })
  expect(server.received).toEqual([])
})
