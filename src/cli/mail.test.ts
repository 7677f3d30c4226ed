import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli } from '../../test/harness/cli.ts'
import { startMailServer, type TestMailServer } from '../../test/harness/mail-server.ts'

let mails: TestMailServer
beforeAll(async () => {
  mails = await startMailServer()
})
afterAll(() => mails?.close())

const matricula = (...words: string[]) =>
  callCli(words, {
    MATRICULA_SMTP_URL: mails.url.href,
    MATRICULA_MAIL_FROM: 'Office <office@school.example>',
    MATRICULA_PUBLIC_URL: 'https://school.example',
  })

test('mail preview prints each kind in the chosen language', async () => {
  const english = await matricula('mail', 'preview', 'invitation')
  expect(english.stdout).toContain('https://school.example/welcome#EXAMPLE')
  const chinese = await matricula('mail', 'preview', 'payment_request', '--language', 'zh', '--json')
  expect(JSON.parse(chinese.stdout)).toMatchObject({ kind: 'payment_request', language: 'zh' })
  expect(chinese.stdout).toContain('付款')
  expect((await matricula('mail', 'preview', 'nothing')).code).toBe(1)
})

test('mail test prints the reply of the server', async () => {
  const sent = await matricula('mail', 'test', '--to', 'ann@person.example')
  expect([sent.code, sent.stdout]).toEqual([0, expect.stringContaining('accepted the mail: 250')])
  expect(mails.received.map(({ to }) => to)).toEqual([['ann@person.example']])
  mails.manners = { refusesRecipient: { code: 550, text: 'no such mailbox' } }
  const refused = await matricula('mail', 'test', '--to', 'bo@person.example')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('no such mailbox')])
})

test('without a mail server, mail test names the missing settings', async () => {
  const { code, stderr } = await callCli(['mail', 'test', '--to', 'ann@person.example'], {})
  expect([code, stderr]).toEqual([1, expect.stringContaining('Set MATRICULA_SMTP_URL')])
})
