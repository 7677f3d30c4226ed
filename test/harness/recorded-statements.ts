import { createHash, randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

interface Parse {
  name?: string
  text: string
}

/** The connection of pg, which sends every statement. */
const Connection = createRequire(import.meta.url)('pg/lib/connection.js') as {
  prototype: { parse(message: Parse): void; recorded?: Set<string> }
}

/**
 * Notes in the folder every statement of a store that this process prepares. Their names are derived from their texts,
 * unlike those of statements that a test sends or rewrites.
 */
export function recordStatements(folder: string): void {
  if (Connection.prototype.recorded) return
  const recorded = new Set<string>()
  const file = join(folder, `${randomUUID()}.ndjson`)
  const { parse } = Connection.prototype
  Connection.prototype.recorded = recorded
  Connection.prototype.parse = function (message) {
    const { name, text } = message
    if (name && !recorded.has(text) && name === nameOf(text)) {
      recorded.add(text)
      appendFileSync(file, `${JSON.stringify(text)}\n`)
    }
    parse.call(this, message)
  }
}

/** Those of this process so far. */
export function recordedStatements(): string[] {
  return [...(Connection.prototype.recorded ?? [])]
}

/** Those of all processes of a run. */
export async function readRecorded(folder: string): Promise<string[]> {
  const files = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))
  const lines = files.flatMap((text) => text.split('\n')).filter((line) => line !== '')
  return [...new Set(lines)].map((line) => JSON.parse(line))
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}
