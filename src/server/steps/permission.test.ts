import { expect, test } from 'vitest'
import type { Caller } from '../../access/caller.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { grantedOrganization, requireConfirmation, requirePermission } from './permission.ts'

const program = { kind: 'program', permissions: ['read'], organizations: [{ corp_id: 'a' }] } as Caller
const now = new Date('2026-11-15T02:00:00Z')
const staff = {
  ...{ kind: 'staff', role: 'counsellor', permissions: ['read', 'write'] },
  session: { confirmed_at: new Date(now.getTime() - 600_000) },
} as Caller

test('staff need the permission for staff, programs the general one', () => {
  const endpoint = { permission: 'read', staffPermission: 'finance' } as Endpoint
  expect(() => requirePermission(endpoint, program)).not.toThrow()
  expect(() => requirePermission(endpoint, staff)).toThrow('The caller lacks the permission finance.')
})

test('operations of the console refuse programs with any permission', () => {
  const endpoint = { permission: 'read', group: 'Console' } as Endpoint
  expect(() => requirePermission(endpoint, staff)).not.toThrow()
  expect(() => requirePermission(endpoint, program)).toThrow(expect.objectContaining({ status: 401 }))
})

test('an organization that is not granted is refused', () => {
  expect(grantedOrganization(program, 'a').corp_id).toBe('a')
  expect(() => grantedOrganization(program, 'b')).toThrow(expect.objectContaining({ status: 403 }))
  expect(() => grantedOrganization(program, undefined)).toThrow()
})

test('staff must have confirmed within ten minutes; programs need not', () => {
  expect(() => requireConfirmation(staff, now)).not.toThrow()
  expect(() => requireConfirmation(staff, new Date(now.getTime() + 1))).toThrow()
  expect(() => requireConfirmation(program, now)).not.toThrow()
})
