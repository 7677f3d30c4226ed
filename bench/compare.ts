import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { compareFigures, type Figure, printRows } from './report.ts'

/** node bench/compare.ts BEFORE.json AFTER.json: two results of `npm run bench -- --json FILE`, row by row. */
const { positionals } = parseArgs({ allowPositionals: true })
const [before, after] = positionals
if (before === undefined || after === undefined || positionals.length > 2) {
  process.stderr.write('Usage: node bench/compare.ts BEFORE.json AFTER.json\n')
  process.exit(2)
}
const read = async (file: string): Promise<Figure[]> => JSON.parse(await readFile(file, 'utf8'))
const rows = compareFigures(await read(before), await read(after))
printRows([
  ['work', 'ratio', 'before', 'after', 'after ÷ before', ''],
  ...rows.map(({ work, ratio, before, after, change, verdict }) => [
    work,
    ratio,
    before === undefined ? '' : String(before),
    after === undefined ? '' : String(after),
    change === undefined ? '' : change.toFixed(2),
    verdict,
  ]),
])
const worse = rows.filter(({ verdict }) => verdict === 'worse').length
process.stdout.write(`\n${rows.length} figures, ${worse} worse than before\n`)
process.exitCode = worse > 0 ? 1 : 0
