import { expect, test } from 'vitest'
import { endpoint } from './endpoint.ts'
import { asksForConfirmation, type Guard } from './guard.ts'
import { Type } from './type.ts'

const declaration = {
  id: 'try',
  method: 'POST',
  path: '/api/v5/try',
  group: 'Users',
  since: 'Ver5.2026-11-17',
  permission: 'write',
  summary: '',
  input: Type.Object({}),
  data: Type.String(),
  example: { input: {}, data: '' },
  handle: async () => '',
} as const

test('an operation without a guard, or an exception without its reason, does not compile', () => {
  endpoint({ ...declaration, guard: { effect: 'changes', people: 'own' } })
  // @ts-expect-error: an operation declares its guard.
  endpoint({ ...declaration })
  // @ts-expect-error: a guard says whose people.
  endpoint({ ...declaration, guard: { effect: 'reads' } })
  // @ts-expect-error: to change everyone's people takes a reason.
  endpoint({ ...declaration, guard: { effect: 'changes', people: 'everyone' } })
  // @ts-expect-error: only an effect that asks for confirmation has an exception.
  endpoint({ ...declaration, guard: { effect: 'changes', people: 'own', unconfirmed: 'It is quick.' } })
})

test('confirmation follows from the effect, unless the guard gives a reason', () => {
  const asks = (guard: Guard) => asksForConfirmation(guard)
  expect(asks({ effect: 'reads', people: 'everyone' })).toBe(false)
  expect(asks({ effect: 'changes', people: 'own' })).toBe(false)
  expect(asks({ effect: 'changes', people: 'own', confirmed: true })).toBe(true)
  for (const effect of ['discloses', 'grants', 'irreversible'] as const) {
    expect(asks({ effect, people: 'none' })).toBe(true)
    expect(asks({ effect, people: 'none', unconfirmed: 'The link proves who it is.' })).toBe(false)
  }
})
