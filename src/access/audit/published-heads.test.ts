import { expect, test } from 'vitest'
import { lineOf, type PublishedHead, readLine } from './published-head.ts'
import { PublishedHeads } from './published-heads.ts'

const hashOf = (length: number, history = 'a') => history.repeat(60) + String(length).padStart(4, '0')
const atMinute = (minute: number) => `2026-11-17T10:${String(minute).padStart(2, '0')}:00.000000Z`

function published(...heads: Partial<PublishedHead & { minute: number; history: string }>[]): PublishedHeads {
  const all = new PublishedHeads()
  for (const { minute = 0, history, length = 0, ...head } of heads)
    all.add('a file', {
      ...{
        corp_id: 'school',
        at: atMinute(minute),
        length,
        head: length === 0 ? '' : hashOf(length, history),
      },
      ...head,
    })
  return all
}

/** The breaches of a chain of this length. Each history gives its links other hashes. */
function breachesOf(all: PublishedHeads, histories: string, corp_id = 'school'): string[] {
  const expected = all.linksOf('audit', corp_id)
  const found = Array.from(histories).flatMap((history, index) => [
    ...expected.compare(index + 1, hashOf(index + 1, history)),
  ])
  return [...found, ...expected.compareLength(histories.length)].map(({ what }) => what)
}

test('a chain that holds all published heads has no breach', () => {
  const all = published({ minute: 1, length: 2 }, { minute: 2, length: 4 }, { minute: 3, length: 4 })
  expect(breachesOf(all, 'aaaaaa')).toEqual([])
  expect(all.report()).toEqual({
    sources: [{ source: 'a file', heads: 3, from: atMinute(1), until: atMinute(3) }],
    restores: [],
  })
})

test('a chain that is shorter, or differs at a published link, is reported with the last time at which it was intact', () => {
  const all = published({ minute: 1, length: 2 }, { minute: 2, length: 4 }, { minute: 3, length: 4 })
  expect(breachesOf(all, 'aaa')).toEqual([`links were removed after ${atMinute(3)}: the length of the chain`])
  expect(breachesOf(all, 'abbbbb')).toEqual([`the chain was rewritten after ${atMinute(1)}: link 2`])
  expect(breachesOf(all, 'aaabbb')).toEqual([`the chain was rewritten after ${atMinute(3)}: link 4`])
})

test('a restore explains the heads that it discarded, and no others', () => {
  const before = [
    { minute: 1, length: 2 },
    { minute: 2, length: 4 },
  ]
  const restore = { minute: 3, length: 3, restored: true as const }
  const after = { minute: 4, length: 5, history: 'b' }
  const all = published(...before, restore, after)
  expect(breachesOf(all, 'aaabb')).toEqual([])
  expect(all.report().restores).toEqual([{ at: atMinute(3), discarded: 1 }])
  // Heads from before the restored point stay valid.
  expect(breachesOf(all, 'abbbb')).toEqual([`the chain was rewritten after ${atMinute(1)}: link 2`])
  expect(breachesOf(all, 'aabbb')).toEqual([`the chain was rewritten after ${atMinute(3)}: link 3`])
  // Heads that were published after the restore are valid too.
  expect(breachesOf(all, 'aaabbb'.slice(0, 4))).toEqual([
    `links were removed after ${atMinute(4)}: the length of the chain`,
  ])
  // A restore does not excuse heads that were published later.
  expect(breachesOf(published(restore, { minute: 4, length: 4 }), 'aaa')).toHaveLength(1)
})

test('an organization that a restore does not list did not exist then', () => {
  const all = published(
    { minute: 1, length: 2, corp_id: 'young' },
    { minute: 2, length: 0, corp_id: '', restored: true },
  )
  expect(breachesOf(all, '', 'young')).toEqual([])
  expect(all.report().restores).toEqual([{ at: atMinute(2), discarded: 1 }])
})

test('a head is parsed from its own line and from a log line, and from no other line', () => {
  const head = { corp_id: 'school', at: atMinute(1), length: 2, head: hashOf(2) }
  expect(readLine(lineOf(head).trimEnd())).toEqual(head)
  const logged = {
    level: 30,
    time: atMinute(5),
    ...head,
    ledger_length: 1,
    ledger_head: hashOf(1),
    msg: 'head',
  }
  expect(readLine(JSON.stringify(logged))).toEqual({ ...head, ledger_length: 1, ledger_head: hashOf(1) })
  for (const line of [
    ...['', 'null', '"head"', '{"head":', '[1]', '{}'],
    ...[
      { at: 'today' },
      { length: -1 },
      { length: 0 },
      { length: 1.5 },
      { head: 'short' },
      { corp_id: 5 },
    ].map((wrong) => JSON.stringify({ ...head, ...wrong })),
    JSON.stringify({ ...head, more: 'x'.repeat(3000) }),
  ])
    expect(readLine(line)).toBeUndefined()
})
