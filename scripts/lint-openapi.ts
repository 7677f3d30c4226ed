// Holds docs/openapi.json against the rules of redocly.yaml: warnings count as errors.
import { join } from 'node:path'
import { lint, loadConfig } from '@redocly/openapi-core'

const root = join(import.meta.dirname, '..')
const config = await loadConfig({ configPath: join(root, 'redocly.yaml') })
const problems = await lint({ ref: join(root, 'docs/openapi.json'), config })

for (const { ruleId, message, location } of problems)
  process.stderr.write(`${ruleId}: ${message} (${location[0]?.pointer})\n`)
if (problems.length > 0) process.exitCode = 1
