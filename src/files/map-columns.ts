import { type GuessRules, guessColumns } from './guess-columns.ts'
import { editDistance, forgiven } from './header-words.ts'
import { columnLetters, FileRefused, rejectColumn } from './row-source.ts'

/** The columns of an import, their aliases, and the required columns. */
export interface ColumnTable<Name extends string> {
  columns: Record<Name, { aliases: string[] }>
  /** The reason why these columns are not sufficient; undefined if they are. */
  missing(found: { has(name: Name): boolean }): string | undefined
  /** Without rules, similar names are only suggested, and two headers of one column are refused. */
  guess?: GuessRules<Name>
}

export interface ColumnMap<Name extends string> {
  /** The column of each header; undefined if it is unknown. */
  names: (Name | undefined)[]
  /** Unknown headers, which are reported and ignored. */
  unknown: string[]
  /** For some unknown headers, a column with a similar name. */
  suggestions: Record<string, Name>
  /** The confidence of guessed columns in percent, by header. */
  guesses: Record<string, number>
}

/** {"Their header": "external_id", "Remarks": "ignore", …} */
export type Mapping = Record<string, string>

/** The column of a header that is not imported. */
export const ignoredColumn = 'ignore'

/** Settings for reading a file, besides its headers. */
export interface MapOptions {
  /** The choice of the user, for this file or for all files with these headers. */
  mapping?: Mapping | undefined
  /** The columns of a known source. A mapping overrides them. */
  preset?: Mapping | undefined
  /** The first values of each header, without empty ones. */
  samples?: string[][] | undefined
}

/**
 * Finds the columns: those of the mapping, then those of the preset, then those whose header is known, then guesses.
 * Refuses ambiguous headers before anything is done.
 */
export function mapColumns<Name extends string>(
  { columns, missing, guess }: ColumnTable<Name>,
  headers: string[],
  { mapping = {}, preset = {}, samples = [] }: MapOptions = {},
): ColumnMap<Name> {
  refuseRepeatedHeaders(headers)
  refuseBadMapping(columns, headers, mapping)
  const nameOf = namesByAlias(columns)
  const holders = new Map<Name, string>()
  const names: (Name | undefined)[] = headers.map(() => undefined)
  const hold = (at: number, name: Name) => {
    const holder = holders.get(name)
    const header = headers[at]!
    if (holder !== undefined && !guess?.repeats.has(name))
      throw new FileRefused(`The columns ${holder} and ${header} both mean ${name}.`)
    holders.set(name, header)
    names[at] = name
  }
  const isSettled = (header: string) => Object.hasOwn(mapping, header) || Object.hasOwn(preset, header)
  for (const told of [mapping, preset])
    for (const [at, header] of headers.entries()) {
      const name = Object.hasOwn(told, header) ? told[header] : undefined
      if (name === undefined || name === ignoredColumn || names[at] !== undefined) continue
      const isRetold = told === preset && (Object.hasOwn(mapping, header) || holders.has(name as Name))
      if (!isRetold) hold(at, name as Name)
    }
  const open = [...headers.keys()].filter((at) => headers[at] !== '' && !isSettled(headers[at]!))
  const confidences = new Map<number, number>()
  // Of two headers of one column, that with fitting values comes first, then the better name: a mobile before a phone.
  const order = [...nameOf.keys()]
  const rankOf = (at: number) => {
    const name = nameOf.get(forgiven(headers[at]!))
    const values = samples[at] ?? []
    const fits = name === undefined ? undefined : guess?.fits(name, values)
    return (
      order.indexOf(forgiven(headers[at]!)) +
      order.length * (fits ? 0 : fits === undefined && values.length > 0 ? 1 : 2)
    )
  }
  for (const at of guess ? open.toSorted((a, b) => rankOf(a) - rankOf(b)) : open) {
    const name = nameOf.get(forgiven(headers[at]!))
    if (name === undefined) continue
    if (!guess) hold(at, name)
    else if (!holders.has(name) && !guess.isDoubtful(name, headers[at]!, samples[at] ?? [])) hold(at, name)
  }
  if (guess)
    for (const { at, name, confidence } of guessColumns(guess, nameOf, headers, samples, { names, open })) {
      hold(at, name)
      confidences.set(at, confidence)
    }
  const unknown = open.flatMap((at) =>
    names[at] === undefined && headers[at] !== rejectColumn ? [headers[at]!] : [],
  )
  const suggestions = guess ? {} : suggest(unknown, nameOf, holders)
  const reason = missing(holders)
  if (reason !== undefined)
    throw guess
      ? new FileRefused(reason, { option: 'mapping' }, 'missing_column')
      : missingColumn(reason, suggestions)
  const guesses = Object.fromEntries([...confidences].map(([at, confidence]) => [headers[at]!, confidence]))
  return { names, unknown, suggestions, guesses }
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

/** Whether a text is a header of these columns: its name, an alias, or a header of the mapping. */
export function isHeaderOf<Name extends string>(
  { columns }: ColumnTable<Name>,
  mapping: Mapping = {},
): (text: string) => boolean {
  const nameOf = namesByAlias(columns)
  return (text) => text === rejectColumn || Object.hasOwn(mapping, text) || nameOf.has(forgiven(text))
}

function namesByAlias<Name extends string>(columns: ColumnTable<Name>['columns']): Map<string, Name> {
  const nameOf = new Map<string, Name>()
  for (const [name, { aliases }] of Object.entries(columns) as [Name, { aliases: string[] }][]) {
    for (const alias of [name, ...aliases]) nameOf.set(forgiven(alias), name)
  }
  return nameOf
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
    if (name !== ignoredColumn && !Object.hasOwn(columns, name)) {
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
  if (guesses.length === 0) return new FileRefused(reason, undefined, 'missing_column')
  return new FileRefused(
    `${reason} Perhaps ${guesses.slice(0, 5).join(', ')}.`,
    { option: 'mapping' },
    'missing_column',
  )
}
