// Checks both OpenAPI documents against the rules of redocly.yaml, where warnings count as errors. Every member must have a
// description: in its contract, or by its name in src/contract/member-descriptions.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lint, loadConfig } from '@redocly/openapi-core'
import { membersOf } from './openapi-members.ts'

const root = join(import.meta.dirname, '..')
const config = await loadConfig({ configPath: join(root, 'redocly.yaml') })

for (const name of ['openapi.json', 'openapi-console.json']) {
  const problems = await lint({ ref: join(root, 'docs', name), config })
  for (const { ruleId, message, location } of problems)
    process.stderr.write(`${name}: ${ruleId}: ${message} (${location[0]?.pointer})\n`)
  const undescribed = membersOf(JSON.parse(readFileSync(join(root, 'docs', name), 'utf8')))
    .filter(({ schema }) => !schema.description)
    .map(({ place }) => `${name}: ${place} has no description (src/contract/member-descriptions.ts)`)
  process.stderr.write(undescribed.map((line) => `${line}\n`).join(''))
  if (problems.length + undescribed.length > 0) process.exitCode = 1
}
