import { expect, test } from 'vitest'
import type { Queryable } from '../../database/database.ts'
import type { Services } from '../call.ts'
import { createServerMemory } from '../server-memory.ts'
import { chooseDatabase, notingWrite } from './choose-database.ts'

const primary = { is: 'primary' } as unknown as Queryable
const replica = { is: 'replica' } as unknown as Queryable
const list = { mayLag: true } as const
const caller = { app_id: 'caller' }

function servicesWith(maxLagMs: number): Services {
  return {
    db: { of: () => primary },
    replicas: { of: () => replica, maxLagMs },
    memory: createServerMemory(),
  } as unknown as Services
}

test('lists are read from a replica, everything else from the primary', async () => {
  const services = servicesWith(1000)
  expect(await chooseDatabase(services, list, caller, 'x')).toBe(replica)
  expect(await chooseDatabase(services, {}, caller, 'x')).toBe(primary)
  expect(await chooseDatabase({ ...services, replicas: undefined as never }, list, caller, 'x')).toBe(primary)
})

test('a caller that has just written reads from the primary for as long as a replica may lag; others do not', async () => {
  const services = servicesWith(500)
  expect(await notingWrite(services, caller, Promise.resolve('done'))).toBe('done')
  expect(await chooseDatabase(services, list, caller, 'x')).toBe(primary)
  expect(await chooseDatabase(services, list, { app_id: 'other' }, 'x')).toBe(replica)
  await new Promise((done) => setTimeout(done, 550))
  expect(await chooseDatabase(services, list, caller, 'x')).toBe(replica)
})

test('a failed write counts too, because it may have been committed', async () => {
  const services = servicesWith(1000)
  await expect(notingWrite(services, caller, Promise.reject(new Error('no answer')))).rejects.toThrow()
  expect(await chooseDatabase(services, list, caller, 'x')).toBe(primary)
})
