// Every source file that a document names exists: as a path (src/people/users/reach.ts), or as a name in `…` (`reach.ts`).
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const pathPattern =
  /(?<![\w/.-])(?:(?:src|test|schema|sample|bench|scripts|docs|migrations)|console\/src)\/[\w./-]*\w/g
const namePattern = /`([a-z][\w.-]*\.(?:ts|tsx|mjs|sql))`/g

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
const names = new Set(files.map((file) => basename(file)))
// The changelog names files of the past.
const documents = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')

const faults: string[] = []
for (const document of documents)
  for (const [index, line] of readFileSync(join(root, document), 'utf8').split('\n').entries()) {
    const paths = [...line.matchAll(pathPattern)].filter(([path]) => !existsSync(join(root, path)))
    const unknown = [...line.matchAll(namePattern)].filter(([, name = '']) => !names.has(name))
    for (const [named] of [...paths, ...unknown])
      faults.push(`${document}:${index + 1} names ${named}, which does not exist.`)
  }
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exitCode = 1
}
