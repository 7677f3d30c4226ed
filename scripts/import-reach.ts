// Counts the files of src that a file loads, directly or through others: the files that a reader may open for one request.
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Requests that are counted when no file is named. */
const requests = {
  'order/list': 'orders/listing/list-orders.ts',
  'order/payment/create': 'orders/payments/create-payment.ts',
  'leads/import, a batch': 'people/leads/import-leads.ts',
  'matricula orders import': 'cli/orders.ts',
}

/** One line per file. Without files, one line per known request. */
export function drawReach(src: string, files: string[]): string {
  const named: Record<string, string> =
    files.length > 0 ? Object.fromEntries(files.map((file) => [file, file])) : requests
  const rows = Object.entries(named).map(([name, file]) => {
    const reached = filesReachedFrom(src, file)
    const lines = reached.reduce((sum, path) => sum + linesOf(src, path), 0)
    return `${name.padEnd(40)}${String(reached.length).padStart(6)} ${String(lines).padStart(6)}`
  })
  return [`${'request'.padEnd(40)} files  lines`, ...rows].join('\n')
}

export function filesReachedFrom(src: string, start: string): string[] {
  const reached = new Set([start])
  for (const file of reached) {
    const code = readFileSync(join(src, file), 'utf8')
    for (const path of importsIn(code)) {
      const target = normalize(join(dirname(file), path))
      if (!target.startsWith('..')) reached.add(target)
    }
  }
  return [...reached]
}

/** Static imports of own files. Imports of types alone are erased and load nothing. */
function importsIn(code: string): string[] {
  const statements = code.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^']*?\sfrom\s+)?'(\.[^']+)'/gm)
  return [...statements].flatMap(([, isType, path]) => (isType || path === undefined ? [] : [path]))
}

function linesOf(src: string, file: string): number {
  return readFileSync(join(src, file), 'utf8').split('\n').length - 1
}
