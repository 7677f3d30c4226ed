import pg from 'pg'
import { ApiError } from '../../contract/errors.ts'

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
