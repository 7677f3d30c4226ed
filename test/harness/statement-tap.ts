import { createRequire } from 'node:module'
import { vi } from 'vitest'

interface Parse {
  name?: string
  text: string
}

/** The connection of pg, which sends every statement. */
const Connection = createRequire(import.meta.url)('pg/lib/connection.js') as {
  prototype: { parse(message: Parse): void }
}

/** Sees, and may rewrite, the text of every statement that this process prepares from now on. */
export function tapStatements(rewrite: (text: string) => string): { remove(): void } {
  const parse = Connection.prototype.parse
  const spy = vi.spyOn(Connection.prototype, 'parse').mockImplementation(function (this: unknown, message) {
    parse.call(this as never, { ...message, text: rewrite(message.text) })
  })
  return { remove: () => spy.mockRestore() }
}
