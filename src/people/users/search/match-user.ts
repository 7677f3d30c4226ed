import { shownEnd } from '../../../contract/contacts.ts'
import type { TypedNumber } from '../search-words.ts'
import { isHan } from '../search-words.ts'
import { mailboxOf } from '../user-facets.ts'
import type { ContactView } from '../user-row.ts'
import {
  minCharacters,
  minInnerDigits,
  minTypoLength,
  type SearchTerm,
  type UserSearch,
} from './read-search.ts'
import { readingsOf } from './readings.ts'
import { initialsOfReading } from './search-keys.ts'
import type { ParsedText, SearchedNumber } from './search-text.ts'

/** How well a text matches. Lower is better. */
const matchRank = {
  exact: 0,
  prefix: 1,
  part: 2,
  reading: 3,
  readingPrefix: 4,
  readingPart: 5,
  typo: 6,
} as const

/** How well a person matches a search: as its worst part. Undefined if a part does not match. */
export function rankOf(search: UserSearch, text: ParsedText): number | undefined {
  let worst: number | undefined
  for (const term of search.terms) {
    const rank = rankOfTerm(term, text, search)
    if (rank === undefined) return undefined
    worst = Math.max(worst ?? 0, rank)
  }
  return worst
}

type Rank = number | undefined

function best(ranks: Rank[]): Rank {
  const known = ranks.filter((rank) => rank !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

function rankOfTerm(term: SearchTerm, text: ParsedText, search: UserSearch): Rank {
  const { view } = search
  const { number, maskedEnd } = term
  return best([
    ...text.names.map((name) => rankOfWords(term.words, name, search)),
    ...(number ? text.numbers.map((stored) => rankOfNumber(number, stored, view)) : []),
    ...(maskedEnd === undefined ? [] : text.numbers.map((stored) => endsWith(stored, maskedEnd))),
    ...text.addresses.map((address) => rankOfAddress(term.text, address, view)),
    ...text.handles.map((handle) => rankOfHandle(term.text, handle, view)),
    ...text.codes.map((code) => rankWithin(term.text, code)),
  ])
}

type Name = ParsedText['names'][number]

function rankOfWords(words: string[], name: Name, search: UserSearch): Rank {
  const ranks = words.map((word) => (isHan(word) ? rankOfHan(word, name) : rankOfLetters(word, name, search)))
  return ranks.length === 0 || ranks.includes(undefined) ? undefined : Math.max(...(ranks as number[]))
}

function rankOfHan(word: string, { words, han }: Name): Rank {
  if (word === han || words.includes(word)) return matchRank.exact
  if (han.startsWith(word)) return matchRank.prefix
  return han.includes(word) ? matchRank.part : undefined
}

function rankOfLetters(word: string, { words, han, latin }: Name, { allowsTypo }: UserSearch): Rank {
  if (words.includes(word) || word === latin) return matchRank.exact
  if (words.some((each) => each.startsWith(word))) return matchRank.prefix
  const { length } = Array.from(word)
  if (length >= 3 && latin.includes(word)) return matchRank.part
  const readings = han === '' ? [] : readingsOf(han)
  const read = best(readings.map((syllables) => rankOfReading(word, syllables)))
  if (read !== undefined || !allowsTypo || length < minTypoLength) return read
  const targets = [...words, ...readings.map((syllables) => syllables.join(''))]
  return targets.some((target) => differsInOne(word, target)) ? matchRank.typo : undefined
}

function rankOfReading(word: string, syllables: string[]): Rank {
  const whole = syllables.join('')
  if (whole === word) return matchRank.reading
  if (whole.startsWith(word)) return matchRank.readingPrefix
  const initials = initialsOfReading(syllables)
  if (initials === word && word.length > 1) return matchRank.readingPrefix
  if (word.length > 1 && initials.includes(word)) return matchRank.readingPart
  return startsOf(syllables).some((start) => whole.startsWith(word, start))
    ? matchRank.readingPart
    : undefined
}

/** Where the syllables of a reading start. */
export function startsOf(syllables: string[]): number[] {
  let at = 0
  return syllables.map((syllable) => {
    const start = at
    at += syllable.length
    return start
  })
}

function rankOfNumber(typed: TypedNumber, stored: SearchedNumber, view: ContactView): Rank {
  const { digits, ending, isInternational, split } = typed
  const { area_code, number } = stored
  const national = digits.replace(/^0+/, '')
  if (split && split.area_code === area_code && split.mobile === number) return matchRank.exact
  if (!isInternational && national !== '' && national === number) return matchRank.exact
  if (view === 'masked') return ending?.length === shownEnd ? endsWith(stored, ending) : undefined
  const whole = area_code + number
  const beginning = isInternational && split ? split.area_code + split.mobile : national
  if (beginning.length >= 3 && whole.startsWith(beginning)) return matchRank.prefix
  if (!isInternational && national.length >= 3 && number.startsWith(national)) return matchRank.prefix
  const inner = [ending ?? '', isInternational ? '' : national]
  const isWithin = inner.some(
    (part) => part.length >= minInnerDigits && (whole.includes(part) || stored.stored.includes(part)),
  )
  return isWithin ? matchRank.part : undefined
}

/** The end of a number that its mask shows. */
function endsWith({ stored, isEndShown }: SearchedNumber, end: string): Rank {
  return isEndShown && stored.endsWith(end) ? matchRank.part : undefined
}

/** Staff see addresses masked: they find one by the whole address or mailbox only. */
function rankOfAddress(text: string, address: string, view: ContactView): Rank {
  const mailbox = mailboxOf(address)
  if (text === address || text === mailbox) return matchRank.exact
  if (view === 'masked') return undefined
  const [local = '', domain = ''] = address.split('@')
  const isPart = Array.from(text).length >= minCharacters
  if (isPart && (text === local || text === domain || text === `@${domain}`)) return matchRank.prefix
  return best([rankWithin(text, address), rankWithin(text, mailbox)])
}

/** As an address: staff see it masked. */
function rankOfHandle(text: string, handle: string, view: ContactView): Rank {
  if (view === 'whole') return rankWithin(text, handle)
  return text === handle ? matchRank.exact : undefined
}

function rankWithin(text: string, value: string): Rank {
  if (text === value) return matchRank.exact
  if (Array.from(text).length < minCharacters) return undefined
  if (value.startsWith(text)) return matchRank.prefix
  return value.includes(text) ? matchRank.part : undefined
}

/** Whether two texts differ by one letter that is added, missing or wrong, or by two neighbours that are swapped. */
export function differsInOne(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let same = 0
  while (same < short.length && short[same] === long[same]) same++
  const rest = (from: number, to: number) => short.slice(from) === long.slice(to)
  if (short.length < long.length) return rest(same, same + 1)
  if (rest(same + 1, same + 1)) return true
  const isSwapped = short[same] === long[same + 1] && short[same + 1] === long[same]
  return isSwapped && rest(same + 2, same + 2)
}
