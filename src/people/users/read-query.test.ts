import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readQuery } from './read-query.ts'
import { nationalNumber } from './search-words.ts'
import { type FacetedUser, facetsOf, mailboxOf } from './user-facets.ts'
import type { ContactView } from './user-row.ts'

const nobody: FacetedUser = {
  user_id: 'u',
  name: null,
  first_name: null,
  last_name: null,
  area_code: null,
  mobile: null,
  backup_area_code: null,
  backup_mobile: null,
  email: null,
  wechat_id: null,
  external_id: null,
  company_name: null,
  owner_ids: [],
  pool: 'public',
  ctime: new Date(0),
}

/** Whether the search finds a user, by the facets of both. */
function finds(q: string, user: Partial<FacetedUser>, view: ContactView = 'whole'): boolean {
  const has = [...facetsOf({ ...nobody, ...user })]
  const { facets, ranges } = readQuery(q, view)
  const bytes = (text: string) => Buffer.from(text)
  const isWithin = (facet: string, low: string, high: string) =>
    Buffer.compare(bytes(facet), bytes(low)) >= 0 && Buffer.compare(bytes(facet), bytes(high)) < 0
  return (
    facets.every((facet) => has.includes(facet)) &&
    ranges.every((group) =>
      group.some(({ from, until }) => has.some((facet) => isWithin(facet, from, until))),
    )
  )
}

describe('a mobile number is found', () => {
  const user = { area_code: '86', mobile: '13800138000' }

  test.each([
    '13800138000',
    '138 0013 8000',
    '138-0013-8000',
    '+86 138-0013-8000',
    '+8613800138000',
    '008613800138000',
    '0086 138 0013 8000',
    '8613800138000',
    '013800138000',
    '(+86) 13800138000',
    '１３８００１３８０００',
    '＋８６ １３８－００１３－８０００',
    '+86 138',
    '1380013',
    '138',
    '8000',
    '0013 8000',
  ])('by %s', (q) => {
    expect(finds(q, user)).toBe(true)
  })

  test.each(['13800138001', '+1 13800138000', '+852 13800138000', '8001', '38001380001', '99'])(
    'but not by %s',
    (q) => {
      expect(finds(q, user)).toBe(false)
    },
  )

  test('in any stored form: with leading zeros, or with a repeated calling code', () => {
    for (const mobile of ['13800138000', '013800138000', '8613800138000', '008613800138000'])
      for (const q of ['13800138000', '+86 138 0013 8000', '8000'])
        expect(finds(q, { area_code: '86', mobile }), `${mobile} by ${q}`).toBe(true)
    // A number of India that begins like its calling code keeps its digits.
    expect(finds('+91 9123456789', { area_code: '91', mobile: '9123456789' })).toBe(true)
  })

  test('by an end that consists of zeros', () => {
    expect(finds('0000', { area_code: '86', mobile: '13000000000' })).toBe(true)
    expect(finds('0001', { area_code: '86', mobile: '13000000001' })).toBe(true)
  })

  test('by any of its beginnings and ends, with any separators', () => {
    const digits = fc.stringMatching(/^1[3-9][0-9]{9}$/)
    const separated = fc.constantFrom('', ' ', '-', '.', '　')
    fc.assert(
      fc.property(
        digits,
        fc.integer({ min: 4, max: 11 }),
        fc.boolean(),
        separated,
        (mobile, length, isEnd, gap) => {
          const part = isEnd ? mobile.slice(-length) : mobile.slice(0, length)
          const typed = `${part.slice(0, 3)}${gap}${part.slice(3)}`
          expect(finds(typed, { area_code: '86', mobile }), typed).toBe(true)
        },
      ),
    )
  })
})

describe('a name is found', () => {
  test.each([
    ['王小明', '王'],
    ['王小明', '王小'],
    ['王小明', '王小明'],
    ['王小明', '小明'],
    ['欧阳 磊', '欧阳磊'.slice(0, 2)],
    ['𠮷野家', '𠮷'],
    ["Grace O'Connor", 'gr'],
    ["Grace O'Connor", 'oconnor'],
    ["Grace O'Connor", "O'Con"],
    ["Grace O'Connor", 'connor, GRACE'.slice(8)],
    ["Grace O'Connor", 'grace oc'],
    ['Zoë Brontë', 'zoe bronte'],
    ['Zoe Bronte', 'Zoë'],
    ['ＧＲＡＣＥ', 'grace'],
    ['王小明 Tom', 'tom 王'],
    ['Ann', 'a'],
  ])('%s by %s', (name, q) => {
    expect(finds(q, { name })).toBe(true)
  })

  test.each([
    ['王小明', '李'],
    ['王小明', '明'],
    ['Grace', 'race'],
    ['Grace', 'grace x'],
    ['', '王'],
  ])('%s not by %s', (name, q) => {
    expect(finds(q, { name })).toBe(false)
  })

  test('composed of its parts', () => {
    expect(finds('欧阳磊', { first_name: '磊', last_name: '欧阳' })).toBe(true)
    expect(finds('mei', { first_name: 'Mei', last_name: 'Lin' })).toBe(true)
  })

  test('by the beginning of any of its words', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcÀéß王小明のД'), minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 2 }), fc.nat(1), (words, n) => {
        const typed = words[n % words.length]!
        expect(finds(typed, { name: words.join(' ') }), typed).toBe(true)
      }),
    )
  })
})

test('an address is found by its beginning, in any letter case, and its mailbox by the part before a plus', () => {
  const user = { email: 'Mei.Lin+school@Example.com' }
  for (const q of ['mei.lin+school@example.com', 'MEI.LIN+SCHOOL@', 'mei.lin@example.com', 'mei.lin@ex'])
    expect(finds(q, user), q).toBe(true)
  for (const q of ['mei@', 'lin@example.com', '@example.com']) expect(finds(q, user), q).toBe(false)
})

test('words of several kinds must all match', () => {
  const user = { name: '王小明', area_code: '86', mobile: '13800138000', email: 'ming@example.com' }
  expect(finds('王小明 8000', user)).toBe(true)
  expect(finds('王 ming@example', user)).toBe(true)
  expect(finds('王小明 8001', user)).toBe(false)
})

test('a text without search terms finds nobody', () => {
  for (const q of ['!!!', '\u0301', '-', '· ·']) expect(finds(q, { name: '王' }), q).toBe(false)
})

describe('a caller who sees masked contacts', () => {
  const shanghai = { area_code: '86', mobile: '13800138000', email: 'Mei.Lin+school@Example.com' }

  test('finds a number by the whole of it, with or without its calling code, or by its last four digits', () => {
    const whole = ['13800138000', '+86 138-0013-8000', '008613800138000', '8613800138000', '013800138000']
    for (const q of [...whole, '8000', '王 8000', '138••••8000', '１３８００１３８０００'])
      expect(finds(q, { ...shanghai, name: '王小明' }, 'masked'), q).toBe(true)
    for (const q of ['138', '+86 138', '1380', '1380013', '38000', '138000', '3800138000', '80', '•••8000'])
      expect(finds(q, shanghai, 'masked'), q).toBe(false)
  })

  test('finds a number of any length by the whole of it', () => {
    for (const mobile of ['123', '12345', '212345', '6123456', '123456789012'])
      for (const q of [mobile, `+298 ${mobile}`, `00298${mobile}`, `298${mobile}`])
        expect(finds(q, { area_code: '298', mobile }, 'masked'), q).toBe(true)
    expect(finds('2345', { area_code: '298', mobile: '212345' }, 'masked')).toBe(false)
  })

  test('finds an address by the whole of it, or of its mailbox', () => {
    for (const q of ['mei.lin+school@example.com', 'MEI.LIN@example.com'])
      expect(finds(q, shanghai, 'masked'), q).toBe(true)
    for (const q of ['mei.lin@', 'mei.lin+s@example.com', '@example.com', 'm@example.com', 'mei.lin@example'])
      expect(finds(q, shanghai, 'masked'), q).toBe(false)
  })

  const digits = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })
  /** Two numbers with one mask. */
  const long = fc
    .tuple(digits(3, 3), digits(4, 4), digits(1, 6), digits(1, 6))
    .map(([head, end, ...middles]) => middles.map((middle) => head + middle + end))
  const short = fc
    .tuple(digits(2, 2), digits(0, 5), digits(0, 5))
    .map(([end, ...heads]) => heads.map((head) => head + end))
  const areaCode = fc.constantFrom('86', '1', '44', '298', '7')

  test('learns no hidden digit of any number: numbers with the same mask are found alike', () => {
    fc.assert(
      fc.property(
        fc.oneof(long, short),
        areaCode,
        fc.constantFrom('', '0', '00', '+', '86', '+86', '0086', '+44 ', '1'),
        fc.tuple(fc.nat(1), fc.nat(14), fc.integer({ min: 1, max: 15 }), digits(0, 2)),
        (mobiles, area_code, front, [which, from, length, more]) => {
          const q = front + mobiles[which]!.slice(from, from + length) + more
          const isWhole = (mobile: string) => {
            const number = nationalNumber(area_code, mobile)
            return new RegExp(`^0*(${area_code}0*){0,2}${number}$`).test(q.replaceAll(/[^0-9]/g, ''))
          }
          if (mobiles.some(isWhole)) return
          const [one, other] = mobiles.map((mobile) => finds(q, { area_code, mobile }, 'masked'))
          expect(one, `${q}: ${mobiles}`).toBe(other)
        },
      ),
      { numRuns: 5000 },
    )
  })

  test('learns no hidden letter of any address: addresses with the same mask are found alike', () => {
    const part = fc.string({ unit: fc.constantFrom(...'abc.+1'), maxLength: 6 })
    fc.assert(
      fc.property(
        fc.tuple(part, part),
        fc.nat(1),
        fc.nat(8),
        fc.integer({ min: 1, max: 20 }),
        (parts, which, from, length) => {
          const emails = parts.map((rest) => `a${rest}@example.com`)
          const q = emails[which]!.slice(from, from + length)
          if (emails.some((email) => q === email || q === mailboxOf(email))) return
          const [one, other] = emails.map((email) => finds(q, { email }, 'masked'))
          expect(one, `${q}: ${emails}`).toBe(other)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
