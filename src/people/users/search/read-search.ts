import { endOfMask, shownEnd } from '../../../contract/contacts.ts'
import { allKeys, type KeyExpression } from '../../../search/key-expression.ts'
import { isHan, minDigits, plain, type TypedNumber, typedNumber } from '../search-words.ts'
import type { ContactView } from '../user-row.ts'
import { isShortWord, pieces, searchKey, startOf, startsOfWord } from './search-keys.ts'
import { searchedWords } from './search-text.ts'

/** A part of a typed text. A person matches if every part does, in any of its meanings. */
export interface SearchTerm {
  text: string
  /** Words of a name. */
  words: string[]
  number?: TypedNumber
  /** The end of a copied mask: 5678 of 138••••5678. */
  maskedEnd?: string
}

/** A typed text, parsed. */
export interface UserSearch {
  terms: SearchTerm[]
  view: ContactView
  /** Whether a long word may have one typing error. */
  allowsTypo: boolean
}

/** Fewer characters of an address, a handle or a code would match nearly everybody. */
export const minCharacters = 3
/** Shorter words have too many neighbours that differ in one letter. */
export const minTypoLength = 5
/** Digits from the middle or end of a number. */
export const minInnerDigits = 4

/** Parses a typed text: a number in any notation, or words, each of which may be a number, an address or an id. */
export function readSearch(q: string, view: ContactView, allowsTypo = false): UserSearch {
  const whole = termOf(q, view)
  const isOne = whole.number !== undefined || whole.maskedEnd !== undefined
  const parts = plain(q).split(/\s+/).filter(Boolean)
  return { terms: isOne ? [whole] : parts.map((part) => termOf(part, view)), view, allowsTypo }
}

function termOf(text: string, view: ContactView): SearchTerm {
  const number = typedNumber(text)
  const maskedEnd = view === 'masked' ? endOfMask(text) : undefined
  return {
    text: plain(text).replaceAll(/\s/g, ''),
    words: searchedWords(text),
    ...(number && { number }),
    ...(maskedEnd !== undefined && { maskedEnd }),
  }
}

/** Whether any part may be a contact. */
export function namesContact({ terms }: UserSearch): boolean {
  return terms.some(
    ({ text, number, maskedEnd }) => number !== undefined || maskedEnd !== undefined || text.includes('@'),
  )
}

/** How near to the typed text a candidate is: its keys tell it roughly, as `matchRank` does exactly. */
const reaches = ['word', 'start', 'part', 'readingStart', 'all'] as const
type Reach = (typeof reaches)[number]

/**
 * The candidates of a search, from the nearest to all of them: each expression finds more. A text without any word finds
 * nothing.
 */
export function candidatesOf(search: UserSearch): KeyExpression[] {
  return reaches.map((reach) => candidatesWithin(search, reach))
}

function candidatesWithin(search: UserSearch, reach: Reach): KeyExpression {
  const { terms } = search
  return terms.length === 0 ? { any: [] } : { all: terms.map((term) => ofTerm(term, search, reach)) }
}

function ofTerm(term: SearchTerm, search: UserSearch, reach: Reach): KeyExpression {
  const { words, number, maskedEnd, text } = term
  const meanings: KeyExpression[] = []
  if (words.length > 0) meanings.push({ all: words.map((word) => ofWord(word, search, reach)) })
  if (text !== '') meanings.push({ key: searchKey.whole(text) })
  if (reach === 'word') return { any: meanings }
  const startOnly = reach === 'start'
  if (number) meanings.push(...ofNumber(number, search.view, startOnly))
  if (maskedEnd !== undefined && !startOnly) meanings.push({ key: searchKey.numberEnd(maskedEnd) })
  const characters = pieces(text, minCharacters)
  if (characters.length === 0) return { any: meanings }
  const start = characters[0]!
  meanings.push(
    allKeys([...(startOnly ? [searchKey.codeStart(start)] : []), ...characters.map(searchKey.code)]),
  )
  // Parts of hidden contacts are no candidates: there may be too many candidates to compare them all.
  if (search.view === 'whole' || text.includes('@'))
    meanings.push(
      allKeys([
        ...(startOnly ? [searchKey.charactersStart(start)] : []),
        ...characters.map(searchKey.characters),
      ]),
    )
  return { any: meanings }
}

function ofWord(word: string, search: UserSearch, reach: Reach): KeyExpression {
  if (reach === 'word' && isShortWord(word)) return { key: searchKey.word(word) }
  const isStart = reach === 'word' || reach === 'start'
  const starts = isStart ? [searchKey.wordStart(startsOfWord(word).at(-1)!)] : []
  const { length } = Array.from(word)
  if (isHan(word))
    return allKeys([...starts, ...(length === 1 ? [word] : pieces(word, 2)).map(searchKey.han)])
  const named =
    length < 3
      ? { key: searchKey.wordStart(word) }
      : allKeys([...starts, ...pieces(word, 3).map(searchKey.latin)])
  if (isStart || reach === 'part') return named
  const readingStart = searchKey.readingStart(startOf(word, 2))
  if (length < 3) {
    const read = [searchKey.syllableStart(word), ...(length === 2 ? [searchKey.initials(word)] : [])]
    return { any: [named, ...(reach === 'all' ? read : [readingStart]).map((key) => ({ key }))] }
  }
  const read = pieces(word, 3).map(searchKey.reading)
  if (reach === 'readingStart') return { any: [named, allKeys([readingStart, ...read])] }
  const typos = search.allowsTypo && length >= minTypoLength ? halvesOf(word) : []
  return { any: [named, allKeys(read), ...typos] }
}

/** One typing error leaves one half of the word as it is. */
function halvesOf(word: string): KeyExpression[] {
  const letters = Array.from(word)
  const middle = Math.floor(letters.length / 2)
  const [first, second] = [letters.slice(0, middle).join(''), letters.slice(middle).join('')]
  const start = startOf(word, 2)
  // Two swapped letters, one in each half.
  const around = [...pieces(first.slice(0, -1), 3), ...pieces(second.slice(1), 3)]
  const withStart = [pieces(first, 3), ...(around.length > 0 ? [around] : [])]
  return [
    ...withStart.flatMap((parts) => [
      allKeys([searchKey.wordStart(start), ...parts.map(searchKey.latin)]),
      allKeys([searchKey.syllableStart(start), ...parts.map(searchKey.reading)]),
    ]),
    allKeys(pieces(second, 3).map(searchKey.latin)),
    allKeys(pieces(second, 3).map(searchKey.reading)),
  ]
}

function ofNumber(
  { digits, ending, split }: TypedNumber,
  view: ContactView,
  startOnly: boolean,
): KeyExpression[] {
  const whole = [digits.replace(/^0+/, ''), split ? split.area_code + split.mobile : '']
  const inner =
    view === 'whole' && !startOnly ? [ending ?? ''].filter((text) => text.length >= minInnerDigits) : []
  const forms = [...new Set([...whole, ...inner])].filter(({ length }) => length >= minDigits)
  return [
    ...forms.map((form) => {
      const start = searchKey.numberStart(form.slice(0, 3))
      if (form.length < 4) return { key: start }
      return allKeys([...(startOnly ? [start] : []), ...pieces(form, 4).map(searchKey.digits)])
    }),
    ...(view === 'masked' && ending?.length === shownEnd && !startOnly
      ? [{ key: searchKey.numberEnd(ending) }]
      : []),
  ]
}
