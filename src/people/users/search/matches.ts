import { described, namedObject } from '../../../contract/fields.ts'
import { type Static, Type } from '../../../contract/type.ts'
import { isHan, plain } from '../search-words.ts'
import { UserRow } from '../user-row.ts'
import { differsInOne, startsOf } from './match-user.ts'
import type { SearchTerm, UserSearch } from './read-search.ts'
import { readingsOf } from './readings.ts'
import { initialsOfReading } from './search-keys.ts'
import { simplified } from './simplified.ts'

const Match = namedObject('SearchMatch', {
  member: Type.String({ description: 'The member of the user that matched' }),
  start: described(Type.Integer(), 'The first character of the match, counted from 0 in UTF-16 units'),
  end: described(Type.Integer(), 'The character after the match'),
})
type Match = Static<typeof Match>

/** A user that a search found. */
export const FoundUser = namedObject('FoundUser', {
  ...UserRow.properties,
  matches: Type.Array(Match, {
    description:
      'Where the user matches, for highlighting. Empty for a match in a member that is masked or not shown',
  }),
})

/** Where a user matches a search, in the members that the reader sees whole. */
export function matchesOf({ terms, view }: UserSearch, user: UserRow): Match[] {
  const names = terms.flatMap((term) => inNames(term, user))
  const codes = terms.flatMap(({ text }) => inText('external_id', text, user.external_id ?? ''))
  const contacts =
    view === 'masked'
      ? []
      : terms.flatMap((term) => [
          ...inMobile(term, user.mobile),
          ...inText('email', term.text, user.email),
          ...inText('wechat_id', term.text, user.wechat_id ?? ''),
        ])
  return [...names, ...contacts, ...codes]
}

/** A text is found in names only if each of its words is. */
function inNames({ words }: SearchTerm, user: UserRow): Match[] {
  const members = ['name', 'first_name', 'last_name'] as const
  const found = words.map((word) => members.flatMap((member) => inName(member, word, user[member])))
  return found.every(({ length }) => length > 0) ? found.flat() : []
}

/** The characters of a value that are compared, each with its place in the value. */
function comparedIn(value: string): { text: string; places: [start: number, end: number][] } {
  let text = ''
  const places: [number, number][] = []
  let at = 0
  for (const character of value) {
    const compared = simplified(plain(character)).replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')
    text += compared
    for (let n = 0; n < compared.length; n++) places.push([at, at + character.length])
    at += character.length
  }
  return { text, places }
}

function inName(member: string, word: string, value: string): Match[] {
  if (value === '') return []
  const { text, places } = comparedIn(value)
  const span = (from: number, length: number): Match[] => {
    const [first, last] = [places[from], places[from + length - 1]]
    return first && last ? [{ member, start: first[0], end: last[1] }] : []
  }
  const at = text.indexOf(word)
  if (at >= 0) return span(at, word.length)
  if (isHan(word)) return []
  return inReading(word, text, span) ?? inMistypedWord(word, text, value, span)
}

type Span = (from: number, length: number) => Match[]

function inReading(word: string, text: string, span: Span): Match[] | undefined {
  const han = /\p{Script=Han}+/u.exec(text)
  if (!han) return undefined
  const characters = Array.from(han[0])
  const offsetOf = (index: number) => han.index + characters.slice(0, index).join('').length
  const spanOf = (from: number, until: number) => span(offsetOf(from), offsetOf(until) - offsetOf(from))
  for (const syllables of readingsOf(han[0])) {
    const starts = startsOf(syllables)
    const whole = syllables.join('')
    const from = starts.findIndex((start) => whole.startsWith(word, start))
    if (from >= 0) {
      const end = starts[from]! + word.length
      const until = starts.findIndex((start) => start >= end)
      return spanOf(from, until < 0 ? syllables.length : until)
    }
    const initial = initialsOfReading(syllables).indexOf(word)
    if (initial >= 0) return spanOf(initial, initial + word.length)
  }
  return undefined
}

function inMistypedWord(word: string, text: string, value: string, span: Span): Match[] {
  const mistyped = plain(value)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .find((each) => differsInOne(word, each))
  return mistyped ? span(text.indexOf(mistyped), mistyped.length) : []
}

function inMobile({ number }: SearchTerm, mobile: string): Match[] {
  if (!number) return []
  const forms = [number.ending, number.digits.replace(/^0+/, ''), number.split?.mobile]
  const form = forms.find((digits) => digits && mobile.includes(digits))
  return form ? inText('mobile', form, mobile) : []
}

function inText(member: string, text: string, value: string): Match[] {
  const start = plain(value).indexOf(text)
  // If normalizing changes the length of a text, its positions change.
  if (start < 0 || text.length < 3 || plain(value).length !== value.length) return []
  return [{ member, start, end: start + text.length }]
}
