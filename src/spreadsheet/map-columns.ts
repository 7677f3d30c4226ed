import { type ColumnName, columns } from '../order-import/columns.ts'
import { columnLetters, FileRefused } from './row-source.ts'

/** The column that tells why a row was rejected; the file of rejected rows is fed again with it. */
export const rejectColumn = 'reject_reason'

export interface ColumnMap {
  /** For each header, what it stands for; undefined where nothing is known of it. */
  names: (ColumnName | undefined)[]
  /** Headers that nothing is known of: they are reported, and ignored. */
  unknown: string[]
}

/** {"Their header": "external_id", …} */
export type Mapping = Record<string, string>

const nameOf = new Map<string, ColumnName>()
for (const [name, { aliases }] of Object.entries(columns)) {
  for (const alias of [name, ...aliases]) nameOf.set(forgiven(alias), name as ColumnName)
}

/** Finds the columns by their headers. What leaves a doubt is refused before anything is done. */
export function mapColumns(headers: string[], mapping: Mapping = {}): ColumnMap {
  refuseRepeatedHeaders(headers)
  refuseBadMapping(headers, mapping)
  const unknown: string[] = []
  const holders = new Map<ColumnName, string>()
  const names = headers.map((header) => {
    const name = Object.hasOwn(mapping, header)
      ? (mapping[header] as ColumnName)
      : nameOf.get(forgiven(header))
    if (name === undefined) {
      if (header !== '' && header !== rejectColumn) unknown.push(header)
      return undefined
    }
    const holder = holders.get(name)
    if (holder !== undefined) throw new FileRefused(`The columns ${holder} and ${header} both mean ${name}.`)
    holders.set(name, header)
    return name
  })
  refuseMissing(holders)
  return { names, unknown }
}

export function readMapping(text: string): Mapping {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new FileRefused('The mapping file is not JSON.')
  }
  const isMapping =
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((name) => typeof name === 'string')
  if (!isMapping || Array.isArray(value))
    throw new FileRefused('The mapping file must be an object of headers and columns.')
  return value as Mapping
}

/** Case, spaces, underscores and the like do not tell headers apart. */
function forgiven(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_\-./:#*()]/g, '')
}

function refuseRepeatedHeaders(headers: string[]): void {
  const places = new Map<string, number>()
  for (const [index, header] of headers.entries()) {
    if (header === '') continue
    const first = places.get(header)
    if (first !== undefined) {
      throw new FileRefused(
        `The header ${header} stands twice, in the columns ${columnLetters(first)} and ${columnLetters(index)}.`,
      )
    }
    places.set(header, index)
  }
}

function refuseBadMapping(headers: string[], mapping: Mapping): void {
  for (const [header, name] of Object.entries(mapping)) {
    if (!Object.hasOwn(columns, name)) {
      throw new FileRefused(
        `The mapping sends ${header} to ${name}, which is no column; there are ${Object.keys(columns).join(', ')}.`,
      )
    }
    if (!headers.includes(header))
      throw new FileRefused(`The mapping names the header ${header}, which the file does not have.`)
  }
}

function refuseMissing(found: Map<ColumnName, string>): void {
  if (!found.has('external_id'))
    throw new FileRefused('The column external_id is missing: it tells whether an order is known already.')
  if (found.has('user_id') || found.has('email') || (found.has('area_code') && found.has('mobile'))) return
  if (found.has('mobile')) throw new FileRefused('The column area_code is missing beside mobile.')
  throw new FileRefused(
    'A column that tells the user is missing: user_id, or area_code and mobile, or email.',
  )
}
