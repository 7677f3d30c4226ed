import { endOfMask, shownEnd } from '../../contract/contacts.ts'
import { beginningWith, exactly, type FacetRange } from '../../search/facet-query-store.ts'
import type { ContactView } from './contact-view.ts'
import { fewestDigits, isHan, plain, type TypedNumber, typedNumber, wordsOf } from './search-words.ts'
import { userFacet } from './user-facets.ts'

/** What a search looks for: every facet, and of every group of ranges some facet. */
export interface SoughtFacets {
  facets: string[]
  ranges: FacetRange[][]
}

/**
 * Reads what people type: a number however it is written, or words, each of which may be a number or an address. Who
 * sees contacts masked finds them by the whole, or by what the mask shows.
 */
export function readQuery(q: string, view: ContactView): SoughtFacets {
  const numbers = numberRanges(q, view)
  if (numbers) return { facets: [], ranges: [numbers] }
  const sought: SoughtFacets = { facets: [], ranges: [] }
  for (const part of plain(q).split(/\s+/).filter(Boolean)) {
    const ranges = part.includes('@') ? [emailRange(part, view)] : numberRanges(part, view)
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

/** An address by how it begins, or the whole address. */
export function emailRange(text: string, view: ContactView): FacetRange {
  const address = userFacet.email(plain(text.trim()))
  return view === 'masked' ? exactly(address) : beginningWith(address)
}

/** Undefined where the text is no number. */
export function numberRanges(text: string, view: ContactView): FacetRange[] | undefined {
  const typed = typedNumber(text)
  if (view === 'masked') return typed ? wholeOrShownEnd(typed) : maskedNumber(text)
  return typed && beginningOrEnd(typed)
}

/** Nothing in between: each digit more would tell whether the hidden one is the same. */
function wholeOrShownEnd({ digits, ending, isInternational, split }: TypedNumber): FacetRange[] {
  const ranges: FacetRange[] = []
  const national = digits.replace(/^0+/, '')
  if (split) ranges.push(exactly(userFacet.mobile(split.mobile, split.area_code)))
  if (!isInternational && national !== '') ranges.push(beginningWith(userFacet.mobileOfAnyCountry(national)))
  if (ending?.length === shownEnd) ranges.push(beginningWith(userFacet.tail(ending)))
  return ranges
}

/** As it was copied from a list. */
function maskedNumber(text: string): FacetRange[] | undefined {
  const end = endOfMask(text)
  return end === undefined ? undefined : [beginningWith(userFacet.tail(end))]
}

const shortestTail = 4

/** A number by how it begins or how it ends; a whole one with its calling code exactly. */
function beginningOrEnd({ beginning, ending = '', isInternational, whole }: TypedNumber) {
  const ranges: FacetRange[] = []
  if (whole) ranges.push(exactly(userFacet.mobile(whole.mobile, whole.area_code)))
  if (whole && isInternational) return ranges
  // Zeros in front of a digit or two are the end of a number: as a beginning they would find nearly everybody.
  const stripped = beginning.replace(/^0+/, '')
  if (stripped.length >= fewestDigits) ranges.push(beginningWith(userFacet.mobileBeginning(stripped)))
  if (ending.length >= shortestTail)
    ranges.push(beginningWith(userFacet.tail(ending)), beginningWith(userFacet.hiddenTail(ending)))
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
