// Prints the module graph of src and fails on an import against scripts/module-plan.ts, and on a test without its source.
// With --reach [file…]: prints how many files a request reaches. --src names another src folder, such as an older version's.
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join, normalize } from 'node:path'
import { parseArgs } from 'node:util'
import { drawReach } from './import-reach.ts'
import { type Module, modulePlan } from './module-plan.ts'

const { values: options, positionals } = parseArgs({
  options: { reach: { type: 'boolean' }, src: { type: 'string' } },
  allowPositionals: true,
})
const src = options.src ?? join(import.meta.dirname, '../src')
if (options.reach) {
  console.log(drawReach(src, positionals))
  process.exit()
}

const faults: string[] = []
const filesOf = new Map<Module, number>()
const linesOf = new Map<Module, number>()
const importsOf = new Map<Module, Set<Module>>()

for await (const file of glob('**/*.ts', { cwd: src, exclude: (name) => name.endsWith('.test.ts') })) {
  const own = moduleOf(file)
  if (!own) {
    faults.push(`src/${file} belongs to no module of scripts/module-plan.ts.`)
    continue
  }
  const code = await readFile(join(src, file), 'utf8')
  filesOf.set(own, (filesOf.get(own) ?? 0) + 1)
  linesOf.set(own, (linesOf.get(own) ?? 0) + code.split('\n').length - 1)
  for (const [, path] of code.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g))
    checkImport(file, own, normalize(join(dirname(file), path!)))
}

for await (const file of glob('**/*.test.ts', { cwd: src })) {
  const [source] = basename(file).split('.')
  if (!existsSync(join(src, dirname(file), `${source}.ts`)))
    faults.push(
      `src/${file} is named after no source file: call it SOURCE.test.ts or SOURCE.subject.test.ts.`,
    )
}

console.log(drawGraph())
const cycles = cyclesIn(importsOf)
for (const cycle of cycles) faults.push(`These modules import each other: ${cycle.join(', ')}.`)
const dependencies = [...importsOf.values()].reduce((sum, { size }) => sum + size, 0)
console.log(
  `${filesOf.size} modules, ${dependencies} dependencies, ${cycles.length} cycles, ${faults.length} faults`,
)
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exitCode = 1
}

function moduleOf(file: string): Module | undefined {
  return modulePlan.find(({ paths }) =>
    paths.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path)),
  )
}

function checkImport(file: string, own: Module, target: string): void {
  // The sample school, which only main.ts loads.
  if (target.startsWith('..')) {
    if (own.name !== 'main') faults.push(`src/${file} imports ${target.slice(3)}, which is outside src.`)
    return
  }
  const other = moduleOf(target)
  if (!other) return
  if (target === 'database/sql.ts' && own.name !== 'database' && !file.endsWith('-store.ts'))
    faults.push(`src/${file} imports src/${target}: SQL belongs in *-store.ts files and in database/.`)
  if (other === own) {
    if (own.inside && isUpward(own.inside, folderOf(file), folderOf(target)))
      faults.push(`src/${file} imports src/${target}: ${folderOf(target)} is above ${folderOf(file)}.`)
    return
  }
  if (!importsOf.has(own)) importsOf.set(own, new Set())
  importsOf.get(own)?.add(other)
  if (modulePlan.indexOf(other) < modulePlan.indexOf(own))
    faults.push(`src/${file} imports src/${target}: ${other.name} is above ${own.name}.`)
}

function folderOf(file: string): string {
  const folders = file.split('/').slice(1, -1)
  return folders[0] ?? '.'
}

function isUpward(plan: string[], from: string, to: string): boolean {
  return plan.indexOf(to) < plan.indexOf(from)
}

/** Groups of modules that reach each other. */
function cyclesIn(graph: Map<Module, Set<Module>>): string[][] {
  const reach = new Map([...graph.keys()].map((start) => [start, reachableFrom(start, graph)]))
  const cycles = new Map<string, string[]>()
  for (const [start, reached] of reach) {
    const cycle = [...reached].filter((other) => reach.get(other)?.has(start)).map(({ name }) => name)
    if (cycle.length > 0) cycles.set(cycle.toSorted().join(), cycle.toSorted())
  }
  return [...cycles.values()]
}

function reachableFrom(start: Module, graph: Map<Module, Set<Module>>): Set<Module> {
  const reached = new Set<Module>()
  const waiting = [...(graph.get(start) ?? [])]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    waiting.push(...(graph.get(next) ?? []))
  }
  return reached
}

function drawGraph(): string {
  const rows = modulePlan.map((module) => {
    const below = [...(importsOf.get(module) ?? [])].sort(
      (a, b) => modulePlan.indexOf(a) - modulePlan.indexOf(b),
    )
    const counts = [filesOf.get(module) ?? 0, linesOf.get(module) ?? 0].map((count) =>
      String(count).padStart(6),
    )
    return `${module.name.padEnd(13)}${counts.join(' ')}  ${below.map(({ name }) => name).join(' ') || '-'}`
  })
  return ['module        files  lines  imports', ...rows].join('\n')
}
