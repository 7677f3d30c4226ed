import { expect, test } from 'vitest'
import { createWaitingPlaces, maxWaitingInOrganization, maxWaitingReaders } from './waiting-places.ts'

function openPlaces() {
  let nowMs = 0
  const places = createWaitingPlaces(() => nowMs)
  return { ...places, pass: (ms: number) => (nowMs += ms) }
}

test('an account has four places, in all of its organizations together', async () => {
  const { take, leave, pass } = openPlaces()
  for (let n = 0; n < maxWaitingReaders; n++)
    expect(await take(`school ${n}`, 'a', `${n}`, 1000)).toBe(undefined)
  expect(await take('school 9', 'a', 'new', 1000)).toBe('account')
  // A reader that waits again keeps its place.
  expect(await take('school 0', 'a', '0', 1000)).toBe(undefined)
  await leave('a', '1')
  expect(await take('school 9', 'a', 'new', 2000)).toBe(undefined)
  expect(await take('school 9', 'a', 'newer', 1000)).toBe('account')
  pass(1000)
  expect(await take('school 9', 'a', 'newer', 1000)).toBe(undefined)
})

test('each organization has its own limit', async () => {
  const { take, leave, pass } = openPlaces()
  for (let n = 0; n < maxWaitingInOrganization; n++)
    expect(await take('school', `a ${n}`, 'reader', n === 0 ? 500 : 1000)).toBe(undefined)
  expect(await take('school', 'another', 'reader', 1000)).toBe('organization')
  expect(await take('school', 'a 7', 'reader', 1000)).toBe(undefined)
  expect(await take('other school', 'another', 'reader', 1000)).toBe(undefined)
  await leave('a 7', 'reader')
  expect(await take('school', 'a 8', 'second', 1000)).toBe(undefined)
  expect(await take('school', 'a 9', 'second', 1000)).toBe('organization')
  // The place of a dead reader is free after its time.
  pass(500)
  expect(await take('school', 'a 9', 'second', 1000)).toBe(undefined)
  expect(await take('school', 'a 10', 'second', 1000)).toBe('organization')
})
