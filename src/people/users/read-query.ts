import { endOfMask, shownEnd } from '../../contract/contacts.ts'
import { exactly, type FacetRange, withPrefix } from '../../search/facet-query-store.ts'
import { isHan, minDigits, plain, type TypedNumber, typedNumber, wordsOf } from './search-words.ts'
import { userFacet } from './user-facets.ts'
import type { ContactView } from './user-row.ts'

/** Search conditions: a match has every facet, and at least one facet of each group of ranges. */
export interface FacetConditions {
  facets: string[]
  ranges: FacetRange[][]
}

/**
 * Parses a search text: a number in any notation, or words, each of which may be a number or an address. A caller who sees
 * masked contacts finds them by the whole value or by the digits that the mask shows.
 */
export function readQuery(q: string, view: ContactView): FacetConditions {
  const numbers = numberRanges(q, view)
  if (numbers) return { facets: [], ranges: [numbers] }
  const conditions: FacetConditions = { facets: [], ranges: [] }
  for (const part of plain(q).split(/\s+/).filter(Boolean)) {
    const ranges = part.includes('@') ? [emailRange(part, view)] : numberRanges(part, view)
    if (ranges) conditions.ranges.push(ranges)
    else add(conditions, nameFacets(part))
  }
  return orNoMatch(conditions)
}

/** Conditions for the words of a name, or their beginnings. */
export function nameFacets(text: string): FacetConditions {
  const conditions: FacetConditions = { facets: [], ranges: [] }
  for (const word of wordsOf(text)) {
    const { length } = Array.from(word)
    if (length <= (isHan(word) ? 1 : 2)) conditions.facets.push(userFacet.initial(word))
    else conditions.ranges.push([withPrefix(userFacet.name(word))])
  }
  return orNoMatch(conditions)
}

/** Matches an address by its beginning; with masked contacts, by the whole address. */
export function emailRange(text: string, view: ContactView): FacetRange {
  const address = userFacet.email(plain(text.trim()))
  return view === 'masked' ? exactly(address) : withPrefix(address)
}

/** Undefined if the text is not a number. */
export function numberRanges(text: string, view: ContactView): FacetRange[] | undefined {
  const typed = typedNumber(text)
  if (view === 'masked') return typed ? wholeOrShownEnd(typed) : maskedNumber(text)
  return typed && beginningOrEnd(typed)
}

/** No other lengths: each additional digit would disclose a hidden digit. */
function wholeOrShownEnd({ digits, ending, isInternational, split }: TypedNumber): FacetRange[] {
  const ranges: FacetRange[] = []
  const national = digits.replace(/^0+/, '')
  if (split) ranges.push(exactly(userFacet.mobile(split.mobile, split.area_code)))
  if (!isInternational && national !== '') ranges.push(withPrefix(userFacet.mobileOfAnyCountry(national)))
  if (ending?.length === shownEnd) ranges.push(withPrefix(userFacet.tail(ending)))
  return ranges
}

/** A masked number, as copied from a list. */
function maskedNumber(text: string): FacetRange[] | undefined {
  const end = endOfMask(text)
  return end === undefined ? undefined : [withPrefix(userFacet.tail(end))]
}

const minTailLength = 4

/** Matches a number by its beginning or end; a complete international number exactly. */
function beginningOrEnd({ beginning, ending = '', isInternational, whole }: TypedNumber) {
  const ranges: FacetRange[] = []
  if (whole) ranges.push(exactly(userFacet.mobile(whole.mobile, whole.area_code)))
  if (whole && isInternational) return ranges
  // Zeros before one or two digits are the end of a number: as a beginning they would match nearly all numbers.
  const stripped = beginning.replace(/^0+/, '')
  if (stripped.length >= minDigits) ranges.push(withPrefix(userFacet.mobilePrefix(stripped)))
  if (ending.length >= minTailLength)
    ranges.push(withPrefix(userFacet.tail(ending)), withPrefix(userFacet.hiddenTail(ending)))
  return ranges.length > 0 ? ranges : undefined
}

/** Without conditions, the search matches nothing instead of everything. */
function orNoMatch(conditions: FacetConditions): FacetConditions {
  return conditions.facets.length + conditions.ranges.length > 0 ? conditions : { facets: [], ranges: [[]] }
}

export function add(conditions: FacetConditions, more: FacetConditions): void {
  conditions.facets.push(...more.facets)
  conditions.ranges.push(...more.ranges)
}
