import { expect, test } from 'vitest'
import { filesReachedFrom } from '../scripts/import-reach.ts'

test('a server starts its workers and PostgreSQL before it loads any operation', () => {
  const reached = filesReachedFrom(import.meta.dirname, 'main.ts')
  expect(reached).toContain('server/primary.ts')
  for (const file of [
    'endpoints.ts',
    'serve.ts',
    'server/worker.ts',
    'server/http-server.ts',
    'contract/validate.ts',
  ])
    expect(reached).not.toContain(file)
})
