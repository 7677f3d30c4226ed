import { isEndShown } from '../../../contract/contacts.ts'
import { fullName } from '../full-name.ts'
import { isHan, nationalNumber, plain, wordsOf } from '../search-words.ts'
import { simplified } from './simplified.ts'

/** The members of a person that a search finds it by. A merged person has the same members. */
export interface SearchedPerson {
  name: string | null
  first_name: string | null
  last_name: string | null
  area_code: string | null
  mobile: string | null
  backup_area_code: string | null
  backup_mobile: string | null
  email: string | null
  wechat_id: string | null
  external_id: string | null
}

/**
 * Kinds of searched text. `name`: words. `number`: calling code and digits. `address`: an e-mail address, a contact like a
 * number. `handle`: another contact. `code`: an id, which everybody sees.
 */
export type TextKind = 'name' | 'number' | 'address' | 'handle' | 'code'

/** One line per searched member. A new member needs one line here. */
const searchedMembers: [TextKind, (person: SearchedPerson) => string | null | undefined][] = [
  ['name', fullName],
  ['name', ({ name, first_name }) => beside(name, first_name)],
  ['name', ({ name, last_name }) => beside(name, last_name)],
  ['number', ({ area_code, mobile }) => numberText(area_code, mobile)],
  ['number', ({ backup_area_code, backup_mobile }) => numberText(backup_area_code, backup_mobile)],
  ['address', ({ email }) => email],
  ['handle', ({ wechat_id }) => wechat_id],
  ['code', ({ external_id }) => external_id],
]

const letterOf: Record<TextKind, string> = {
  name: 'n',
  number: 'm',
  address: 'e',
  handle: 'h',
  code: 'c',
}
const kindOf = new Map(Object.entries(letterOf).map(([kind, letter]) => [letter, kind as TextKind]))

/** The text that a person is found by: one line per member, normalized. "" if there is nothing to find. */
export function searchTextOf(person: SearchedPerson): string {
  const lines = searchedMembers.flatMap(([kind, member]) => {
    const value = member(person)
    const text = value ? normalized(kind, value) : ''
    return text === '' ? [] : [letterOf[kind] + text]
  })
  return [...new Set(lines)].join('\n')
}

const maxLength = 200

function normalized(kind: TextKind, value: string): string {
  if (kind === 'number') return value
  if (kind === 'name') return searchedWords(value).join(' ')
  return plain(value).replaceAll(/\s/g, '').slice(0, maxLength).toWellFormed()
}

/** The first or last name of a person, unless it is a part of the name. A name is found alike, whether its parts are stored or not. */
function beside(name: string | null, part: string | null): string | undefined {
  if (!name || !part) return undefined
  const words = searchedWords(name)
  const own = searchedWords(part).join('')
  return words.includes(own) || words.some((word) => isHan(word) && word.includes(own)) ? undefined : part
}

/** The words of a name or of a typed text, as they are compared. */
export function searchedWords(text: string): string[] {
  return wordsOf(text).map(simplified)
}

/** Calling code, national number, and the stored digits if they differ. */
function numberText(area_code: string | null, mobile: string | null): string | undefined {
  if (!area_code || !mobile) return undefined
  const number = nationalNumber(area_code, mobile)
  return [area_code, number, ...(number === mobile ? [] : [mobile])].join(' ')
}

/** A number of a search text. */
export interface SearchedNumber {
  area_code: string
  /** The national number. */
  number: string
  /** The digits as stored. Masks cover these. */
  stored: string
  isEndShown: boolean
}

/** A search text, parsed. */
export interface ParsedText {
  names: { words: string[]; han: string; latin: string }[]
  numbers: SearchedNumber[]
  addresses: string[]
  handles: string[]
  codes: string[]
}

export function parseSearchText(text: string): ParsedText {
  const parsed: ParsedText = { names: [], numbers: [], addresses: [], handles: [], codes: [] }
  for (const line of text === '' ? [] : text.split('\n')) {
    const value = line.slice(1)
    switch (kindOf.get(line[0]!)) {
      case 'name':
        parsed.names.push(nameOf(value.split(' ')))
        break
      case 'number':
        parsed.numbers.push(numberOf(value))
        break
      case 'address':
        parsed.addresses.push(value)
        break
      case 'handle':
        parsed.handles.push(value)
        break
      default:
        parsed.codes.push(value)
    }
  }
  return parsed
}

const startsWithHan = /^\p{Script=Han}/u

function nameOf(words: string[]) {
  return {
    words,
    /** Chinese is written without spaces, also where a name was stored with some. */
    han: words.filter((word) => startsWithHan.test(word)).join(''),
    latin: words.filter((word) => !startsWithHan.test(word)).join(''),
  }
}

function numberOf(value: string): SearchedNumber {
  const [area_code = '', number = '', stored = number] = value.split(' ')
  return { area_code, number, stored, isEndShown: isEndShown(stored) }
}
