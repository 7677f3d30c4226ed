import pg from 'pg'
import { expect, test } from 'vitest'
import { isUniqueViolation } from './unique-violation.ts'

function violation(index: string, constraint?: string): pg.DatabaseError {
  const message = `duplicate key value violates unique constraint "${index}"`
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code: '23505', constraint })
}

test('a violation is known by its index, whether PostgreSQL tells it or a node of a cluster', () => {
  expect(isUniqueViolation(violation('users_by_email', 'users_by_email'), 'users_by_email')).toBe(true)
  expect(isUniqueViolation(violation('users_by_email_102008'), 'users_by_mobile', 'users_by_email')).toBe(
    true,
  )
})

test('a violation of another index is not taken for it', () => {
  expect(isUniqueViolation(violation('users_by_mobile', 'users_by_mobile'), 'users_by_email')).toBe(false)
  expect(isUniqueViolation(violation('users_by_mobile_102008'), 'users_by_email')).toBe(false)
  expect(isUniqueViolation(violation('old_users_by_email_102008'), 'users_by_email')).toBe(false)
  expect(isUniqueViolation(new Error('users_by_email_102008'), 'users_by_email')).toBe(false)
})
