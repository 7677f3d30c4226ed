import { beginningWith, exactly, type FacetRange } from '../facets/facet-query-store.ts'
import { fewestDigits, isHan, plain, typedNumber, wordsOf } from './search-words.ts'
import { userFacet } from './user-facets.ts'

/** What a search looks for: every facet, and of every group of ranges some facet. */
export interface SoughtFacets {
  facets: string[]
  ranges: FacetRange[][]
}

/** Reads what people type: a number however it is written, or words, each of which may be a number or an address. */
export function readQuery(q: string): SoughtFacets {
  const numbers = numberRanges(q)
  if (numbers) return { facets: [], ranges: [numbers] }
  const sought: SoughtFacets = { facets: [], ranges: [] }
  for (const part of plain(q).split(/\s+/).filter(Boolean)) {
    const ranges = part.includes('@') ? [emailRange(part)] : numberRanges(part)
    if (ranges) sought.ranges.push(ranges)
    else add(sought, nameFacets(part))
  }
  return orNobody(sought)
}

/** By the words of a name, or how they begin. */
export function nameFacets(text: string): SoughtFacets {
  const sought: SoughtFacets = { facets: [], ranges: [] }
  for (const word of wordsOf(text)) {
    const { length } = Array.from(word)
    if (length <= (isHan(word) ? 1 : 2)) sought.facets.push(userFacet.initial(word))
    else sought.ranges.push([beginningWith(userFacet.name(word))])
  }
  return orNobody(sought)
}

export function emailRange(text: string): FacetRange {
  return beginningWith(userFacet.email(plain(text.trim())))
}

const shortestTail = 4

/** A number by how it begins or how it ends; a whole one with its calling code exactly. */
export function numberRanges(text: string): FacetRange[] | undefined {
  const typed = typedNumber(text)
  if (!typed) return undefined
  const { beginning, ending = '', isInternational, whole } = typed
  const ranges: FacetRange[] = []
  if (whole) ranges.push(exactly(userFacet.mobile(whole.mobile, whole.area_code)))
  if (whole && isInternational) return ranges
  // Zeros in front of a digit or two are the end of a number: as a beginning they would find nearly everybody.
  const stripped = beginning.replace(/^0+/, '')
  if (stripped.length >= fewestDigits) ranges.push(beginningWith(userFacet.mobileBeginning(stripped)))
  if (ending.length >= shortestTail) ranges.push(beginningWith(userFacet.tail(ending)))
  return ranges.length > 0 ? ranges : undefined
}

/** Nothing to look for finds nobody, rather than everybody. */
function orNobody(sought: SoughtFacets): SoughtFacets {
  return sought.facets.length + sought.ranges.length > 0 ? sought : { facets: [], ranges: [[]] }
}

export function add(sought: SoughtFacets, more: SoughtFacets): void {
  sought.facets.push(...more.facets)
  sought.ranges.push(...more.ranges)
}
