// Every source file that a document names exists: as a path (src/people/users/reach.ts), as a path below src in `…`
// (`people/users/reach.ts`), or as a name in `…` (`reach.ts`). ARCHITECTURE.md lists the modules as the plan orders them.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { modulePlan } from './module-plan.ts'

const root = join(import.meta.dirname, '..')
const pathPattern =
  /(?<![\w/.-])(?:(?:src|test|schema|sample|bench|scripts|docs|migrations)|console\/src)\/[\w./-]*\w/g
const namePattern = /`([a-z][\w.-]*\.(?:ts|tsx|mjs|sql))`/g

const modules = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
const belowSource = new RegExp(
  `\`((?:${modules.map(({ name }) => name).join('|')})/[\\w/-]*(?:/|\\.ts))\``,
  'g',
)

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
const names = new Set(files.map((file) => basename(file)))
// The changelog names former files, the guide files of its readers.
const documents = files.filter(
  (file) => file.endsWith('.md') && file !== 'CHANGELOG.md' && !file.startsWith('docs/guide/'),
)

const faults: string[] = []
for (const document of documents)
  for (const [index, line] of readFileSync(join(root, document), 'utf8').split('\n').entries()) {
    const paths = [...line.matchAll(pathPattern)].filter(([path]) => !existsSync(join(root, path)))
    const unknown = [...line.matchAll(namePattern)].filter(([, name = '']) => !names.has(name))
    const below = [...line.matchAll(belowSource)].filter(
      ([, path = '']) => !existsSync(join(root, 'src', path)) && !existsSync(join(root, path)),
    )
    for (const [named] of [...paths, ...below, ...unknown])
      faults.push(`${document}:${index + 1} names ${named}, which does not exist.`)
  }
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
const planTable = architecture.match(/\| Below `src\/`.*?\n\n/s)?.[0] ?? ''
const listed = [...planTable.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell)
const planned = modulePlan.map(({ paths }) => paths.map((path) => `\`${path}\``).join(', '))
if (listed.join('\n') !== planned.join('\n'))
  faults.push(
    `ARCHITECTURE.md lists other modules than scripts/module-plan.ts, which has: ${planned.join(' | ')}`,
  )
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exitCode = 1
}
