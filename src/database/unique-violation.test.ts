import pg from 'pg'
import { expect, test } from 'vitest'
import { isUniqueViolation } from './unique-violation.ts'

function violation(index: string, constraint?: string): pg.DatabaseError {
  const message = `duplicate key value violates unique constraint "${index}"`
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code: '23505', constraint })
}

test('a violation is recognised by its index, from PostgreSQL and from a cluster node', () => {
  expect(isUniqueViolation(violation('users_by_email', 'users_by_email'), 'users_by_email')).toBe(true)
  expect(isUniqueViolation(violation('users_by_email_102008'), 'users_by_mobile', 'users_by_email')).toBe(
    true,
  )
})

test('a violation of another index is not recognised', () => {
  expect(isUniqueViolation(violation('users_by_mobile', 'users_by_mobile'), 'users_by_email')).toBe(false)
  expect(isUniqueViolation(violation('users_by_mobile_102008'), 'users_by_email')).toBe(false)
  expect(isUniqueViolation(violation('old_users_by_email_102008'), 'users_by_email')).toBe(false)
  expect(isUniqueViolation(new Error('users_by_email_102008'), 'users_by_email')).toBe(false)
})
