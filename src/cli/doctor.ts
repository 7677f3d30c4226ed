import { Command } from 'commander'
import { examine } from '../doctor/examine.ts'
import type { Finding } from '../doctor/finding.ts'
import { print, table } from './output.ts'
import type { Settings } from './session.ts'

export function createCommand(settings: Settings): Command {
  return new Command('doctor')
    .option('--strict', 'exit with 1 for warnings too')
    .action((options) => run(settings, options))
}

/** Exit code 1: there is a problem. */
async function run(settings: Settings, options: { strict?: boolean; json?: boolean }): Promise<void> {
  const findings = await examine(settings(), new Date())
  const isBad = ({ state }: Finding) => state === 'problem' || (options.strict && state === 'warning')
  if (findings.some(isBad)) process.exitCode = 1
  print({ json: { findings }, text: textOf(findings) }, options.json)
}

function textOf(findings: Finding[]): string {
  const rows = findings.toSorted((one, other) => rank[one.state] - rank[other.state])
  const fixes = rows.filter(({ fix }) => fix !== undefined).map(({ check, fix }) => `${check}: ${fix}`)
  const overview = table(rows, ['state', 'check', 'finding'])
  return fixes.length === 0 ? overview : `${overview}\n\nWhat to do:\n${fixes.join('\n')}`
}

/** The worst first. */
const rank = { problem: 0, warning: 1, ok: 2 }
