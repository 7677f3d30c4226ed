import { mailboxOf } from '../user-facets.ts'
import { loadReadings, readingsOf } from './readings.ts'
import { type ParsedText, parseSearchText, type SearchedNumber } from './search-text.ts'

/*
 * Keys of the search index: short pieces of the searched text.
 *
 *   h王 h王小   one and two Chinese characters of a name
 *   nxia       three letters of a name, of its reading or of the initials of the reading
 *   ^xi        the first one or two letters of a word or syllable
 *   ~xm        two neighbouring initials of a reading
 *   d1380      four digits of a number
 *   d^138      the first three digits, with and without calling code
 *   d$8000     the last four digits, which a mask shows
 *   ccom       three characters of an address or handle
 *   icom       three characters of a code
 *   =com       a whole handle, or a code of fewer than three characters
 *
 * A key only finds candidates: each candidate is compared with the typed text.
 */

export const searchKey = {
  han: (characters: string) => `h${characters}`,
  letters: (three: string) => `n${three}`,
  start: (letters: string) => `^${letters}`,
  initials: (two: string) => `~${two}`,
  digits: (four: string) => `d${four}`,
  numberStart: (three: string) => `d^${three}`,
  numberEnd: (four: string) => `d$${four}`,
  characters: (three: string) => `c${three}`,
  code: (three: string) => `i${three}`,
  whole: (text: string) => `=${text}`,
}

export async function loadSearchKeys(): Promise<typeof searchKeysOf> {
  await loadReadings()
  return searchKeysOf
}

/** The keys of a search text. The readings must be loaded. */
export function searchKeysOf(text: string): Set<string> {
  const keys = new Set<string>()
  const { names, numbers, addresses, handles, codes } = parseSearchText(text)
  for (const name of names) addNameKeys(keys, name)
  for (const number of numbers) addNumberKeys(keys, number)
  for (const address of addresses)
    for (const form of new Set([address, mailboxOf(address)]))
      for (const three of pieces(form, 3)) keys.add(searchKey.characters(three))
  for (const handle of handles) {
    keys.add(searchKey.whole(handle))
    for (const three of pieces(handle, 3)) keys.add(searchKey.characters(three))
  }
  for (const code of codes) {
    const parts = pieces(code, 3)
    if (parts.length === 0) keys.add(searchKey.whole(code))
    for (const three of parts) keys.add(searchKey.code(three))
  }
  return keys
}

function addNameKeys(keys: Set<string>, { words, han, latin }: ParsedText['names'][number]): void {
  for (const character of han) keys.add(searchKey.han(character))
  for (const two of pieces(han, 2)) keys.add(searchKey.han(two))
  for (const three of pieces(latin, 3)) keys.add(searchKey.letters(three))
  for (const word of words) addStart(keys, word)
  for (const syllables of readingsOf(han)) {
    for (const syllable of syllables) addStart(keys, syllable)
    for (const three of pieces(syllables.join(''), 3)) keys.add(searchKey.letters(three))
    const initials = initialsOfReading(syllables)
    for (const two of pieces(initials, 2)) keys.add(searchKey.initials(two))
    for (const three of pieces(initials, 3)) keys.add(searchKey.letters(three))
  }
}

function addStart(keys: Set<string>, word: string): void {
  const letters = Array.from(word)
  keys.add(searchKey.start(letters[0]!))
  if (letters.length > 1) keys.add(searchKey.start(letters.slice(0, 2).join('')))
}

export function initialsOfReading(syllables: string[]): string {
  return syllables.map((syllable) => syllable[0]).join('')
}

function addNumberKeys(keys: Set<string>, { area_code, number, stored, isEndShown }: SearchedNumber): void {
  for (const digits of new Set([area_code + number, stored])) {
    keys.add(searchKey.numberStart(digits.slice(0, 3)))
    for (const four of pieces(digits, 4)) keys.add(searchKey.digits(four))
  }
  keys.add(searchKey.numberStart(number.slice(0, 3)))
  if (isEndShown) keys.add(searchKey.numberEnd(stored.slice(-4)))
}

/** All pieces of a text with this number of characters; empty for a shorter text. */
export function pieces(text: string, length: number): string[] {
  const characters = Array.from(text)
  return Array.from({ length: Math.max(0, characters.length - length + 1) }, (_, from) =>
    characters.slice(from, from + length).join(''),
  )
}
