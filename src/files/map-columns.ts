import { columnLetters, FileRefused, rejectColumn } from './row-source.ts'

/** The columns of an import, their aliases, and the required columns. */
export interface ColumnTable<Name extends string> {
  columns: Record<Name, { aliases: string[] }>
  /** The reason why these columns are not sufficient; undefined if they are. */
  missing(found: { has(name: Name): boolean }): string | undefined
}

export interface ColumnMap<Name extends string> {
  /** The column of each header; undefined if it is unknown. */
  names: (Name | undefined)[]
  /** Unknown headers, which are reported and ignored. */
  unknown: string[]
  /** For some unknown headers, a column with a similar name. */
  suggestions: Record<string, Name>
}

/** {"Their header": "external_id", …} */
export type Mapping = Record<string, string>

/** Finds the columns by their headers. Refuses ambiguous headers before anything is done. */
export function mapColumns<Name extends string>(
  { columns, missing }: ColumnTable<Name>,
  headers: string[],
  mapping: Mapping = {},
): ColumnMap<Name> {
  refuseRepeatedHeaders(headers)
  refuseBadMapping(columns, headers, mapping)
  const nameOf = namesByAlias(columns)
  const unknown: string[] = []
  const holders = new Map<Name, string>()
  const names = headers.map((header) => {
    const name = Object.hasOwn(mapping, header) ? (mapping[header] as Name) : nameOf.get(forgiven(header))
    if (name === undefined) {
      if (header !== '' && header !== rejectColumn) unknown.push(header)
      return undefined
    }
    const holder = holders.get(name)
    if (holder !== undefined) throw new FileRefused(`The columns ${holder} and ${header} both mean ${name}.`)
    holders.set(name, header)
    return name
  })
  const suggestions = suggest(unknown, nameOf, holders)
  const reason = missing(holders)
  if (reason !== undefined) throw missingColumn(reason, suggestions)
  return { names, unknown, suggestions }
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

function namesByAlias<Name extends string>(columns: ColumnTable<Name>['columns']): Map<string, Name> {
  const nameOf = new Map<string, Name>()
  for (const [name, { aliases }] of Object.entries(columns) as [Name, { aliases: string[] }][]) {
    for (const alias of [name, ...aliases]) nameOf.set(forgiven(alias), name)
  }
  return nameOf
}

/** Ignores case, spaces, underscores and punctuation. */
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
        `The header ${header} occurs twice, in the columns ${columnLetters(first)} and ${columnLetters(index)}.`,
      )
    }
    places.set(header, index)
  }
}

function refuseBadMapping(columns: object, headers: string[], mapping: Mapping): void {
  for (const [header, name] of Object.entries(mapping)) {
    if (!Object.hasOwn(columns, name)) {
      throw new FileRefused(
        `The mapping sends ${header} to ${name}, which is not a column. Columns: ${Object.keys(columns).join(', ')}.`,
      )
    }
    if (!headers.includes(header))
      throw new FileRefused(`The mapping names the header ${header}, which the file does not have.`)
  }
}

/** Suggests unused columns whose names are similar to the unknown headers. */
function suggest<Name extends string>(
  unknown: string[],
  nameOf: Map<string, Name>,
  holders: Map<Name, string>,
): Record<string, Name> {
  const free = [...nameOf].filter(([, name]) => !holders.has(name))
  const nearest = unknown.flatMap((header): [string, Name][] => {
    const written = forgiven(header)
    let best = {
      distance: Math.min(3, Math.ceil(written.length / 3)) + 1,
      name: undefined as Name | undefined,
    }
    for (const [alias, name] of free) {
      if (Math.abs(alias.length - written.length) >= best.distance) continue
      const distance = editDistance(alias, written)
      if (distance < best.distance) best = { distance, name }
    }
    return best.name === undefined ? [] : [[header, best.name]]
  })
  return Object.fromEntries(nearest) as Record<string, Name>
}

function missingColumn(reason: string, suggestions: Record<string, string>): FileRefused {
  const guesses = Object.entries(suggestions).map(([header, name]) => `${header} for ${name}`)
  if (guesses.length === 0) return new FileRefused(reason)
  return new FileRefused(`${reason} Perhaps ${guesses.slice(0, 5).join(', ')}.`, { option: 'mapping' })
}

/** The number of characters to add, remove or replace to turn one text into the other. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(replaced, previous[j]! + 1, current[j - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}
