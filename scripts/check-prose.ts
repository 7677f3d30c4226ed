// Words that must not come back: riddles and padding that plain technical English has a term for. See CONTRIBUTING.md.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Each with what to write instead. */
const forbidden: [pattern: RegExp, instead: string][] = [
  [/\bwhoever\b|\bwhomever\b/i, 'name the subject: the caller, the reader, the owner'],
  [/\bwhatever\b/i, 'name the thing, or write "any"'],
  [/\banew\b/i, 'again, or rebuild, recreate, retry'],
  [/\bof whose\b/i, 'a sentence of its own'],
  [/\b(is|are|was|were) told as\b/i, 'is shown as, is reported as'],
  [/\bwhat becomes of\b/i, 'the outcome of'],
  [/\bstands\b/i, 'is'],
  [/\blies on\b/i, 'is on'],
  [/\bcomes to\b/i, 'returns, reaches, amounts to'],
  [/\bin turns\b/i, 'alternately, fairly'],
  [/\bthereby\b/i, 'by this'],
  [/\bmeanwhile\b/i, 'concurrently, in the same time'],
  [/\bthat somebody\b.*\bhas come to\b/i, 'state the fact'],
  [/\bthe ground floor\b/i, 'name the module'],
  [/\bpassword of now\b/i, 'current password'],
  [/\bmake one of two\b/i, 'merge'],
  [/\bTake off\b/, 'unallocate, remove'],
  [/\bwhat stands there\b/i, 'value'],
  [/\btold apart\b|\btells apart\b/i, 'distinguished, distinguishes'],
  [/\bgone back whole\b|\bwent back whole\b/i, 'fully refunded'],
  [/\b(taken?|takes?|took|had) back\b/i, 'undo, reverse, subtract'],
  [/\bmend(s|ed|ing)?\b/i, 'fix, correct'],
  [/\b(is|are|was|were) told\b|\btells? of\b/i, 'gets, is reported, names'],
  [/\bmade again\b/i, 'repeated, rewritten, recomputed'],
  [/\ball the same\b/i, 'anyway, still'],
  [/\btaken for\b/i, 'counts as, is mistaken for'],
  [/\bnow and then\b/i, 'sometimes'],
  [/\bin vain\b/i, 'without a result'],
  [/\bhowever (many|often|long|late|far)\b/i, 'any number, any duration'],
  [/\bthe straightforward way\b/i, 'the plain way'],
]

/** A comment or a test title that begins with a relative clause instead of its subject. */
const relativeStart =
  /^\s*(?:(?:\/\/|\/\*\*?|\{\/\*) (?:What|Who|Whom|Whose) |(?:test|describe)\(['`](?:what|who|whom|whose) )[^?]*$/
/** The same in a text of the service, such as the description of a member. */
const relativeText = /['`](?:What|Who|Whom|Whose) [^?'`]+['`]/
const isService = /^src\/(?!.*\.test\.ts$)/

const isChecked = /\.(ts|tsx|mjs|js|md|sql|html|css|yaml)$|^Dockerfile$|^\.ci\//
const isGenerated =
  /^(docs\/(openapi|openapi-console|sbom)\.json|package-lock\.json|scripts\/check-prose\.ts)$/

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
const faults: string[] = []
for (const file of files) {
  if (!isChecked.test(file) || isGenerated.test(file)) continue
  for (const [index, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    for (const [pattern, instead] of forbidden) {
      const [found] = pattern.exec(line) ?? []
      if (found) faults.push(`${file}:${index + 1} says "${found}". Write instead: ${instead}.`)
    }
    if (relativeStart.test(line) || (isService.test(file) && relativeText.test(line)))
      faults.push(`${file}:${index + 1}: begin the sentence with its subject.`)
  }
}
// With --report, the words are counted and do not fail the check.
if (faults.length > 0) {
  console.error(faults.join('\n'))
  console.error(`${faults.length} places`)
  if (!process.argv.includes('--report')) process.exitCode = 1
}
