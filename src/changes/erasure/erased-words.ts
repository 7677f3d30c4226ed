import { nationalNumber } from '../../people/users/search-words.ts'
import type { AnyImage, Transition } from '../undo/record-images.ts'
import type { ContactHasher, ContactKind } from './contact-hash.ts'
import { leastDigits } from './contacts-in-text.ts'

/** The contacts and names by which texts identify a person. */
export interface ErasedWords {
  numbers: { area_code: string; mobile: string }[]
  emails: string[]
  names: string[]
}

/** From the user, from users merged into it, and from its leads. */
export function wordsOf(records: Transition[]): ErasedWords {
  const images = records.flatMap((record): AnyImage[] => {
    if (!record.before) return []
    // The name of an employer is not that of the person.
    if (record.type === 'payers' && record.before.kind !== 'person')
      return [{ ...record.before, name: undefined }]
    return [record.type === 'leads' ? { ...record.before.fields } : record.before]
  })
  const texts = (name: string) =>
    images.flatMap((image) => (typeof image[name] === 'string' && image[name] ? [image[name]] : []))
  const numbersBy = (area: string, number: string) =>
    images.flatMap(({ [area]: area_code, [number]: mobile }) =>
      typeof area_code === 'string' && typeof mobile === 'string' && area_code && mobile
        ? [{ area_code, mobile }]
        : [],
    )
  const parts = images.flatMap(({ first_name: first, last_name: last }) =>
    typeof first === 'string' && typeof last === 'string' ? [`${first} ${last}`] : [],
  )
  return {
    numbers: [...numbersBy('area_code', 'mobile'), ...numbersBy('backup_area_code', 'backup_mobile')],
    emails: texts('email'),
    names: [...texts('name'), ...parts],
  }
}

/** The contacts to search for. Short numbers would match unrelated texts. */
export function contactWords({ numbers, emails }: ErasedWords): string[] {
  const digits = numbers.map(({ area_code, mobile }) => nationalNumber(area_code, mobile))
  return unique([...digits.filter((number) => number.length >= leastDigits), ...emails])
}

/** In both orders, because people and banks write the family name first or last. */
export function nameWords({ names }: ErasedWords): string[] {
  const both = names.flatMap((name) => {
    const [first, last, ...more] = name.trim().split(/[\s,，]+/)
    return last && more.length === 0 ? [name, `${last} ${first}`] : [name]
  })
  return unique(both.filter(isTelling))
}

function isTelling(name: string): boolean {
  const letters = name.replaceAll(/[^\p{L}]/gu, '')
  return (
    letters.length >=
    (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(letters) ? 2 : 5)
  )
}

/** The keyed hashes of the contacts, which stay as tombstones. */
export function hashesOf(
  hasher: ContactHasher,
  words: ErasedWords,
): { kind: ContactKind; contact_hash: string }[] {
  const found = [
    ...words.numbers.flatMap(({ area_code, mobile }) => {
      const number = nationalNumber(area_code, mobile)
      return [
        { kind: 'mobile' as const, contact_hash: hasher.mobile(area_code, mobile) },
        ...(number.length >= leastDigits
          ? [{ kind: 'digits' as const, contact_hash: hasher.digits(number) }]
          : []),
      ]
    }),
    ...words.emails.map((email) => ({ kind: 'email' as const, contact_hash: hasher.email(email) })),
  ]
  return [...new Map(found.map((each) => [each.contact_hash, each])).values()]
}

function unique(words: string[]): string[] {
  return [...new Set(words)]
}
