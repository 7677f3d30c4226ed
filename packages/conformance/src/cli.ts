#!/usr/bin/env node
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Unreachable } from './caller.ts'
import { type Level, levels } from './check.ts'
import { htmlOf } from './reports/html.ts'
import { junitOf } from './reports/junit.ts'
import { closingText, countsOf, failureText } from './reports/text.ts'
import { allChecks, type RunOptions, runChecks } from './run.ts'
import { gaps } from './tables/gaps.ts'

const help = `Usage: matricula-conformance --base-url URL --app-id ID --secret SECRET --corp-id ID [options]

Checks a server against the interface /api/v5. It creates users, tags, tag groups and leads whose texts begin with
"mconf-", and removes them afterwards. It creates no orders.

  --base-url URL     address of the server, without /api/v5
  --app-id ID        account
  --secret SECRET    secret of the account; or MATRICULA_SECRET in the environment, which keeps it out of the history
  --corp-id ID       organization
  --level LEVELS     interface, matricula, feed, with commas in between (default: all three)
  --read-only        only calls that change nothing
  --category NAME    a category of tag groups, for --read-only
  --only TEXT        only checks whose name or path has this text
  --junit FILE       write a JUnit report
  --html FILE        write an HTML report
  --gaps             print the gaps of the interface, decided and open, and end
  --list             print the checks, and end
  --help             print this text

Exit codes: 0 all checks passed or were skipped, 1 a check failed, 2 wrong options, 3 no response or no token.`

interface Wanted extends RunOptions {
  junit?: string
  html?: string
}

process.exitCode = await main()

async function main(): Promise<number> {
  let wanted: Wanted | undefined
  try {
    wanted = readOptions()
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`)
    return 2
  }
  if (!wanted) return 0
  try {
    const report = await runChecks({
      ...wanted,
      onResult: (result) => result.state === 'failed' && console.log(failureText(result)),
    })
    if (wanted.junit) writeFileSync(wanted.junit, junitOf(report))
    if (wanted.html) writeFileSync(wanted.html, htmlOf(report))
    console.log(closingText(report))
    return countsOf(report).failed > 0 ? 1 : 0
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    console.error(error.message)
    return 3
  }
}

/** Undefined if the command only prints something. */
function readOptions(): Wanted | undefined {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    options: {
      ...{
        'base-url': text,
        'app-id': text,
        secret: text,
        'corp-id': text,
        level: text,
        category: text,
        only: text,
      },
      ...{ junit: text, html: text, 'read-only': flag, gaps: flag, list: flag, help: flag },
    },
  })
  if (values.help) return print(help)
  if (values.gaps)
    return print(
      gaps.map(({ id, shown, state, says }) => `${state.padEnd(8)} ${id}\n  ${shown}\n  ${says}`).join('\n'),
    )
  if (values.list)
    return print(
      allChecks()
        .map(({ id, level, row }) => `${level.padEnd(10)} ${id}: ${row}`)
        .join('\n'),
    )
  const secret = values.secret ?? process.env.MATRICULA_SECRET
  const given = {
    'base-url': values['base-url'],
    'app-id': values['app-id'],
    secret,
    'corp-id': values['corp-id'],
  }
  const missing = Object.entries(given)
    .filter(([, value]) => !value)
    .map(([name]) => `--${name}`)
  if (missing.length > 0) throw new Error(`Missing: ${missing.join(', ')}.`)
  const wanted = (values.level ?? levels.join()).split(',').map((level) => level.trim())
  const unknown = wanted.filter((level) => !levels.includes(level as Level))
  if (unknown.length > 0)
    throw new Error(`Unknown level: ${unknown.join(', ')}. There are ${levels.join(', ')}.`)
  if (!/^https?:\/\//.test(given['base-url']!))
    throw new Error('--base-url must begin with http:// or https://.')
  const { category, only, junit, html } = values
  return {
    baseUrl: given['base-url']!.replace(/\/+$/, ''),
    ...{ appId: given['app-id']!, secret: secret!, corpId: given['corp-id']! },
    ...{ levels: levels.filter((level) => wanted.includes(level)), readOnly: values['read-only'] },
    ...(category !== undefined && { category }),
    ...(only !== undefined && { only }),
    ...(junit !== undefined && { junit }),
    ...(html !== undefined && { html }),
  }
}

function print(text: string): undefined {
  console.log(text)
}
