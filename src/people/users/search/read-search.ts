import { endOfMask, shownEnd } from '../../../contract/contacts.ts'
import { allKeys, type KeyExpression } from '../../../search/key-expression.ts'
import { isHan, minDigits, plain, type TypedNumber, typedNumber } from '../search-words.ts'
import type { ContactView } from '../user-row.ts'
import { pieces, searchKey } from './search-keys.ts'
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

/** The candidates of a search. A text without any word finds nothing. */
export function candidatesOf(search: UserSearch): KeyExpression {
  return search.terms.length === 0 ? { any: [] } : { all: search.terms.map((term) => ofTerm(term, search)) }
}

function ofTerm(term: SearchTerm, search: UserSearch): KeyExpression {
  const meanings: KeyExpression[] = []
  if (term.words.length > 0) meanings.push({ all: term.words.map((word) => ofWord(word, search)) })
  if (term.number) meanings.push(...ofNumber(term.number, search.view))
  if (term.maskedEnd !== undefined) meanings.push({ key: searchKey.numberEnd(term.maskedEnd) })
  if (term.text !== '') meanings.push({ key: searchKey.whole(term.text) })
  const characters = pieces(term.text, minCharacters)
  if (characters.length > 0) meanings.push(allKeys(characters.map(searchKey.code)))
  // Parts of hidden contacts are no candidates: there may be too many candidates to compare them all.
  if (characters.length > 0 && (search.view === 'whole' || term.text.includes('@')))
    meanings.push(allKeys(characters.map(searchKey.characters)))
  return { any: meanings }
}

function ofWord(word: string, { allowsTypo }: UserSearch): KeyExpression {
  const { length } = Array.from(word)
  if (isHan(word)) return allKeys((length === 1 ? [word] : pieces(word, 2)).map(searchKey.han))
  if (length === 1) return { key: searchKey.start(word) }
  if (length === 2) return { any: [{ key: searchKey.start(word) }, { key: searchKey.initials(word) }] }
  const whole = allKeys(pieces(word, 3).map(searchKey.letters))
  return allowsTypo && length >= minTypoLength ? { any: [whole, ...halvesOf(word)] } : whole
}

/** One typing error leaves one half of the word as it is. */
function halvesOf(word: string): KeyExpression[] {
  const letters = Array.from(word)
  const middle = Math.floor(letters.length / 2)
  const [first, second] = [letters.slice(0, middle).join(''), letters.slice(middle).join('')]
  const start = searchKey.start(letters.slice(0, 2).join(''))
  return [
    allKeys([start, ...pieces(first, 3).map(searchKey.letters)]),
    allKeys(pieces(second, 3).map(searchKey.letters)),
  ]
}

function ofNumber({ digits, ending, split }: TypedNumber, view: ContactView): KeyExpression[] {
  const whole = [digits.replace(/^0+/, ''), split ? split.area_code + split.mobile : '']
  const inner = view === 'whole' ? [ending ?? ''].filter((text) => text.length >= minInnerDigits) : []
  const forms = [...new Set([...whole, ...inner])].filter(({ length }) => length >= minDigits)
  return [
    ...forms.map((form) =>
      form.length < 4 ? { key: searchKey.numberStart(form) } : allKeys(pieces(form, 4).map(searchKey.digits)),
    ),
    ...(view === 'masked' && ending?.length === shownEnd ? [{ key: searchKey.numberEnd(ending) }] : []),
  ]
}
