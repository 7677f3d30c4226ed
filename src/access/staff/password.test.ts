import { expect, test } from 'vitest'
import { hashPassword, isPassword } from './password.ts'

const address = '192.0.2.1'

test('a password is stored as argon2id with its own salt, at least at the cost that OWASP recommends', async () => {
  const [one, other] = [
    await hashPassword('correct horse battery'),
    await hashPassword('correct horse battery'),
  ]
  const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$[^$]{22}\$[^$]{43}$/.exec(one) ?? []
  expect(Number(memory)).toBeGreaterThanOrEqual(19_456)
  expect(Number(passes)).toBeGreaterThanOrEqual(2)
  expect(other).not.toBe(one)
})

test('only the password matches its hash, in either Unicode normalization', async () => {
  const hash = await hashPassword('Zoë 的密码是这个')
  expect(await isPassword('Zoë 的密码是这个'.normalize('NFD'), hash, address)).toBe(true)
  for (const wrong of ['zoë 的密码是这个', 'Zoë 的密码是这', ''])
    expect(await isPassword(wrong, hash, address)).toBe(false)
})

test('without a hash no password matches', async () => {
  expect(await isPassword('correct horse battery', null, address)).toBe(false)
})

test('a hash of another cost is still checked, so the cost can change', async () => {
  // argon2id of "password" by the reference implementation: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await isPassword('password', hash, address)).toBe(true)
  expect(await isPassword('passwore', hash, address)).toBe(false)
})
