import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createContactHasher } from './contact-hash.ts'
import { holdsContact } from './contacts-in-text.ts'

const hasher = createContactHasher(randomBytes(32))
const sought = new Set([
  hasher.digits('18877766655'),
  hasher.digits('4155550100'),
  hasher.email('Wren@Birds.example'),
])
const holds = (text: string) => holdsContact(text, hasher, (hash) => sought.has(hash))

test.each([
  '18877766655',
  'x18877766655y',
  '188 7776 6655',
  '188-7776-6655',
  '+86 188 7776 6655',
  '0086-188-7776-6655',
  '(+86)188.7776.6655',
  '8618877766655',
  '１８８７７７６６６５５',
  '+１ (415) 555-0100',
  '13900139000 18877766655',
  'name,18877766655,86',
  '<wren@birds.example>',
  'mailto:WREN@BIRDS.EXAMPLE;x',
])('a contact is found in: %s', (text) => {
  expect(holds(text)).toBe(true)
})

test.each([
  '',
  '18877766656',
  '1887776665',
  '018877766655123',
  '2026-11-17 10:30:00',
  'wren@birds.example.com',
  'a.wren@birds.example',
])('no contact is found in: %s', (text) => {
  expect(holds(text)).toBe(false)
})

test('hashes of one organization match nothing in another', () => {
  const other = createContactHasher(randomBytes(32))
  expect(other.mobile('86', '18877766655')).not.toBe(hasher.mobile('86', '18877766655'))
  expect(hasher.mobile('86', '018877766655')).toBe(hasher.mobile('86', '18877766655'))
  expect(hasher.mobile('1', '18877766655')).not.toBe(hasher.mobile('86', '18877766655'))
})
