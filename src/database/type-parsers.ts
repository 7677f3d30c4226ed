import pg from 'pg'

/** int8 holds amounts and counts, all within the safe integers; the rest is read as pg reads it. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return readSafeInteger
  return pg.types.getTypeParser(oid, format as 'text')
}

function readSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('An integer of the database exceeds the safe range')
  return value
}
