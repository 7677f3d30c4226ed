import pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'
import { ApiError } from '../../contract/errors.ts'
import { type Connection, connectionOf, packetParserOf } from './private-parts.ts'

const dataRow = 'D'.charCodeAt(0)

/**
 * A client whose connection reads the text of rows as one character per byte while `readsBytes` is set. Decoding and
 * encoding text that is only forwarded took 5 % of the time of a read by id.
 */
export class RowBytesClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const connection = connectionOf(this)
    connection.readsBytes = false
    // The same as in pg, with another parser.
    connection.attachListeners = (stream) => {
      const parser = parserFor(connection)
      const emit = (message: { name: string }) =>
        connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message)
      stream.on('data', (chunk: Buffer) => parser.parse(chunk, emit))
    }
  }
}

function parserFor(connection: Connection): Parser {
  const parser = new Parser()
  const inner = packetParserOf(parser)
  const { reader } = inner
  const handlePacket = inner.handlePacket.bind(parser)
  inner.handlePacket = (offset, code, length, bytes) => {
    reader.encoding = code === dataRow && connection.readsBytes ? 'latin1' : 'utf-8'
    return handlePacket(offset, code, length, bytes)
  }
  return parser
}

/** Reads int8 as a number: amounts and counts are safe integers. Other types are read as pg reads them. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return readSafeInteger
  return pg.types.getTypeParser(oid, format as 'text')
}

function readSafeInteger(text: string): number {
  const value = Number(text)
  // Single amounts are bounded, but a sum over many orders may exceed what a JSON number can hold.
  if (!Number.isSafeInteger(value))
    throw new ApiError('stateForbids', {
      msg: `A sum exceeds ${Number.MAX_SAFE_INTEGER} minor units. Narrow the filter.`,
      allowed: [],
    })
  return value
}
