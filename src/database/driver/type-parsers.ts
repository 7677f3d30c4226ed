import pg from 'pg'

/** Reads int8 as a number: amounts and counts are safe integers. Other types are read as pg reads them. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return readSafeInteger
  return pg.types.getTypeParser(oid, format as 'text')
}

function readSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('An integer of the database exceeds the safe range')
  return value
}
