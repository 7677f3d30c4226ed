import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyring, newSecret } from './keyring.ts'

const older = randomBytes(32)
const newer = randomBytes(32)

test('a secret sealed for an account opens for it, and the box does not show it', () => {
  const keyring = createKeyring([newer])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 8 }), (appId, secret) => {
      const sealed = keyring.seal(appId, secret)
      expect(keyring.open(appId, sealed)).toBe(secret)
      expect(sealed.secret_box.includes(Buffer.from(secret))).toBe(false)
    }),
  )
})

test('a box moved to another account does not open', () => {
  const keyring = createKeyring([newer])
  const sealed = keyring.seal('account-a', 'a secret')
  expect(() => keyring.open('account-b', sealed)).toThrow()
  expect(() => keyring.open('account-a ', sealed)).toThrow()
})

test('a box with any byte changed, or cut short, does not open', () => {
  const keyring = createKeyring([newer])
  const sealed = keyring.seal('account', 'a secret')
  for (const index of sealed.secret_box.keys()) {
    const secret_box = Buffer.from(sealed.secret_box)
    secret_box[index]! ^= 1
    expect(() => keyring.open('account', { ...sealed, secret_box }), `byte ${index}`).toThrow()
  }
  for (const length of [0, 12, 27, sealed.secret_box.length - 1]) {
    const secret_box = sealed.secret_box.subarray(0, length)
    expect(() => keyring.open('account', { ...sealed, secret_box }), `length ${length}`).toThrow()
  }
})

test('sealing twice gives two boxes, so that equal secrets are not recognisable', () => {
  const keyring = createKeyring([newer])
  const boxes = Array.from({ length: 100 }, () =>
    keyring.seal('account', 'a secret').secret_box.toString('hex'),
  )
  expect(new Set(boxes).size).toBe(100)
  expect(new Set(boxes.map((box) => box.slice(0, 24))).size).toBe(100)
})

test('after a rotation the new key seals and the old one still opens', () => {
  const before = createKeyring([older])
  const rotated = createKeyring([newer, older])
  const sealedBefore = before.seal('account', 'a secret')
  const sealedAfter = rotated.seal('account', 'another secret')
  expect(rotated.open('account', sealedBefore)).toBe('a secret')
  expect(rotated.open('account', sealedAfter)).toBe('another secret')
  expect(sealedAfter.secret_key_id).not.toBe(sealedBefore.secret_key_id)
  expect(createKeyring([newer]).open('account', sealedAfter)).toBe('another secret')
})

test('a missing key is named, the secret is not', () => {
  const sealed = createKeyring([older]).seal('account', 'a secret')
  const open = () => createKeyring([newer]).open('account', sealed)
  expect(open).toThrow(sealed.secret_key_id)
  expect(open).not.toThrow('a secret')
})

test('the keys that sign tokens are neither the master keys nor each other, and come newest first', () => {
  const { tokenKeys } = createKeyring([newer, older])
  const [first, second] = tokenKeys
  expect(tokenKeys).toHaveLength(2)
  expect(first!.key.equals(second!.key)).toBe(false)
  for (const { key } of tokenKeys) expect([newer, older].some((master) => master.equals(key))).toBe(false)
  expect(createKeyring([newer]).tokenKeys[0]).toEqual(first)
  expect(createKeyring([older]).tokenKeys[0]).toEqual(second)
})

test('secrets are long and never the same', () => {
  const secrets = Array.from({ length: 1000 }, newSecret)
  expect(new Set(secrets).size).toBe(1000)
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{32}$/)
})
