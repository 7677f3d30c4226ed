import { isHan } from '../search-words.ts'
import { mailboxOf } from '../user-facets.ts'
import { loadReadings, readingsOf } from './readings.ts'
import { type ParsedText, parseSearchText, type SearchedNumber } from './search-text.ts'

/*
 * Keys of the search index: short pieces of the searched text.
 *
 *   h王 h王小   one and two Chinese characters of a name
 *   lmic       three letters of a Latin name
 *   nxia       three letters of the reading of a name, or of the initials of the reading
 *   ^王 ^m ^mi the first Chinese character of a word, or the first one or two letters
 *   w王 wmike  a whole word of one Chinese character, or of up to six letters
 *   .xi        the first one or two letters of a syllable of a reading
 *   <wa        the first two letters of a reading
 *   ~xm        two neighbouring initials of a reading
 *   d1380      four digits of a number
 *   d^138      the first three digits, with and without calling code
 *   d$8000     the last four digits, which a mask shows
 *   ccom       three characters of an address or handle
 *   (zoe       the first three characters of an address, its domain or a handle
 *   icom       three characters of a code
 *   )crm       the first three characters of a code
 *   =com       a whole handle, or a code of fewer than three characters
 *
 * A key only finds candidates: each candidate is compared with the typed text.
 */

export const searchKey = {
  han: (characters: string) => `h${characters}`,
  latin: (three: string) => `l${three}`,
  reading: (three: string) => `n${three}`,
  wordStart: (characters: string) => `^${characters}`,
  word: (word: string) => `w${word}`,
  syllableStart: (letters: string) => `.${letters}`,
  readingStart: (two: string) => `<${two}`,
  initials: (two: string) => `~${two}`,
  digits: (four: string) => `d${four}`,
  numberStart: (three: string) => `d^${three}`,
  numberEnd: (four: string) => `d$${four}`,
  characters: (three: string) => `c${three}`,
  charactersStart: (three: string) => `(${three}`,
  code: (three: string) => `i${three}`,
  codeStart: (three: string) => `)${three}`,
  whole: (text: string) => `=${text}`,
}

/** Whether whole words like this have a key. Longer ones are rare enough to be found by their pieces. */
export function isShortWord(word: string): boolean {
  return Array.from(word).length <= (isHan(word) ? 1 : 6)
}

/** The beginnings of a word that have a key, the longest last. */
export function startsOfWord(word: string): string[] {
  return isHan(word) ? [startOf(word, 1)] : [startOf(word, 1), startOf(word, 2)]
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
  for (const address of addresses) {
    const [, domain = ''] = address.split('@')
    for (const form of new Set([address, mailboxOf(address)])) addCharacters(keys, form)
    if (domain.length >= 3) keys.add(searchKey.charactersStart(startOf(domain, 3)))
  }
  for (const handle of handles) {
    keys.add(searchKey.whole(handle))
    addCharacters(keys, handle)
  }
  for (const code of codes) {
    const parts = pieces(code, 3)
    if (parts.length === 0) keys.add(searchKey.whole(code))
    else keys.add(searchKey.codeStart(parts[0]!))
    for (const three of parts) keys.add(searchKey.code(three))
  }
  return keys
}

function addNameKeys(keys: Set<string>, { words, han, latin }: ParsedText['names'][number]): void {
  for (const character of han) keys.add(searchKey.han(character))
  for (const two of pieces(han, 2)) keys.add(searchKey.han(two))
  for (const three of pieces(latin, 3)) keys.add(searchKey.latin(three))
  for (const word of new Set([...words, han, latin].filter(Boolean))) {
    for (const start of startsOfWord(word)) keys.add(searchKey.wordStart(start))
    if (isShortWord(word)) keys.add(searchKey.word(word))
  }
  for (const syllables of readingsOf(han)) {
    const whole = syllables.join('')
    for (const syllable of syllables)
      for (const length of [1, 2]) keys.add(searchKey.syllableStart(startOf(syllable, length)))
    keys.add(searchKey.readingStart(startOf(whole, 2)))
    for (const three of pieces(whole, 3)) keys.add(searchKey.reading(three))
    const initials = initialsOfReading(syllables)
    for (const two of pieces(initials, 2)) keys.add(searchKey.initials(two))
    for (const three of pieces(initials, 3)) keys.add(searchKey.reading(three))
  }
}

function addCharacters(keys: Set<string>, text: string): void {
  const parts = pieces(text, 3)
  if (parts.length > 0) keys.add(searchKey.charactersStart(parts[0]!))
  for (const three of parts) keys.add(searchKey.characters(three))
}

/** The first characters of a text. */
export function startOf(text: string, length: number): string {
  return Array.from(text).slice(0, length).join('')
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
