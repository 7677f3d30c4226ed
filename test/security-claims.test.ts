import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'SECURITY.md'), 'utf8')
const claims = page
  .slice(page.indexOf('### '), page.indexOf('## What is not defended'))
  .split(/\n(?=- )/)
  .filter((text) => text.startsWith('- '))

test('every claim of SECURITY.md names a test or a check', () => {
  expect(claims.length).toBeGreaterThan(30)
  const unproven = claims.filter((claim) => !/\.test\.ts|test\/conformance\/|npm run check/.test(claim))
  expect(unproven).toEqual([])
})

test('every file that SECURITY.md names exists', () => {
  const named = [...page.matchAll(/`((?:src|test|scripts|docs)\/[^`\s]+)`/g)].map(([, path]) => path!)
  const missing = named.filter((path) => globSync(path, { cwd: root }).length === 0)
  expect(missing).toEqual([])
})
