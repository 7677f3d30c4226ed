import { createRequire } from 'node:module'
import pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'

/**
 * Everything that Matricula uses of `pg` and `pg-protocol` beyond their public interface. `package.json` pins their
 * versions, and `check-driver.ts` compares both with the installed packages at start-up.
 */

/** The connection of a client: sends messages, and emits the messages that the parser reads. */
export interface Connection {
  readonly stream: { cork(): void; uncork(): void; destroy(reason: Error): void }
  /** Texts of the named statements that the connection has parsed. */
  readonly parsedStatements: Record<string, string>
  parse(message: { name: string; text: string; types: [] }): void
  bind(message: { portal: string; statement: string; values: unknown[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
  sendCopyFail(reason: string): void
  attachListeners(stream: NodeJS.ReadableStream): void
  emit(event: string, message: unknown): boolean
  /** Added by `row-bytes.ts`. */
  readsBytes?: boolean
}

export function connectionOf(client: pg.ClientBase): Connection {
  // `connection` is missing in the types of pg.
  return (client as unknown as { connection: Connection }).connection
}

/** Members of the parser that its types declare private. */
export interface PacketParser {
  reader: { encoding: BufferEncoding }
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): unknown
}

export function packetParserOf(parser: Parser): PacketParser {
  return parser as unknown as PacketParser
}

const utils: { prepareValue(value: unknown): unknown } = createRequire(import.meta.url)('pg/lib/utils.js')

/** A value as PostgreSQL takes it in a Bind message. */
export function prepareValue(value: unknown): unknown {
  return utils.prepareValue(value)
}

/** The members above that the installed packages lack. */
export function missingParts(): string[] {
  const connection: object | undefined = connectionOf(new pg.Client())
  const stream = (connection as Partial<Connection> | undefined)?.stream
  const parser = packetParserOf(new Parser())
  return [
    ...missing('connection', connection, connectionMembers),
    ...missing('connection.stream', stream, { cork: 'function', uncork: 'function', destroy: 'function' }),
    ...missing('parser', parser, { handlePacket: 'function', reader: 'object' }),
    ...missing('parser.reader', parser.reader, { encoding: 'string' }),
    ...missing('utils', utils, { prepareValue: 'function' }),
  ]
}

const connectionMembers = {
  parsedStatements: 'object',
  parse: 'function',
  bind: 'function',
  describe: 'function',
  execute: 'function',
  sync: 'function',
  sendCopyFail: 'function',
  attachListeners: 'function',
  emit: 'function',
}

function missing(name: string, part: object | undefined, members: Record<string, string>): string[] {
  return Object.entries(members)
    .filter(([member, type]) => typeof Reflect.get(part ?? {}, member) !== type)
    .map(([member]) => `${name}.${member}`)
}
