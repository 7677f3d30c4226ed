import { type ExpectedLink, ExpectedLinks } from './expected-links.ts'
import type { PublishedHead } from './published-head.ts'
import type { ChainName as Chain } from './verified-head-store.ts'
import type { VerifiedHead } from './verified-heads.ts'

/** A source of heads, with their period. */
export interface HeadSource {
  source: string
  heads: number
  from: string
  until: string
}

/** A published restore: after it, the chains may differ from heads published before. */
export interface KnownRestore {
  at: string
  /** The number of heads of the discarded history. */
  discarded: number
}

/** The heads that were kept outside the database, from all sources. */
export class PublishedHeads {
  private readonly sources = new Map<string, HeadSource>()
  /** Heads by organization, then by length and hash. */
  private readonly found = { audit: new Map<string, Known>(), ledger: new Map<string, Known>() }
  /** By instant, then by organization. */
  private readonly restores = new Map<string, Map<string, PublishedHead>>()

  add(source: string, head: PublishedHead): void {
    const { at, corp_id, length, ledger_length, ledger_head } = head
    const known = this.sources.get(source) ?? { source, heads: 0, from: at, until: at }
    known.heads++
    if (at < known.from) known.from = at
    if (at > known.until) known.until = at
    this.sources.set(source, known)
    if (head.restored) {
      const ends = this.restores.get(at) ?? new Map<string, PublishedHead>()
      this.restores.set(at, ends.set(corp_id, head))
    }
    note(this.found.audit, corp_id, { length, head: head.head, at })
    if (ledger_length !== undefined && ledger_head !== undefined)
      note(this.found.ledger, corp_id, { length: ledger_length, head: ledger_head, at })
  }

  /** The links that a chain must have: all published ones that no restore discarded, and its verified head. */
  linksOf(chain: Chain, corp_id: string, verified?: VerifiedHead): ExpectedLinks {
    const all = [...(this.found[chain].get(corp_id)?.values() ?? [])]
    const kept = all.filter((link) => this.restoresAgainst(chain, corp_id, link).length === 0)
    if (verified && verified.length > 0) kept.push({ ...verified, at: verified.verified_at })
    return new ExpectedLinks(kept)
  }

  /** Organizations with published links. */
  corpIds(): string[] {
    return [...this.found.audit.keys()]
  }

  report(): { sources: HeadSource[]; restores: KnownRestore[] } {
    const discarded = new Map([...this.restores.keys()].sort().map((at) => [at, 0]))
    for (const [corp_id, links] of this.found.audit)
      for (const link of links.values())
        for (const at of this.restoresAgainst('audit', corp_id, link))
          discarded.set(at, (discarded.get(at) ?? 0) + 1)
    return {
      sources: [...this.sources.values()],
      restores: Array.from(discarded, ([at, count]) => ({ at, discarded: count })),
    }
  }

  /** Later restores to a point before the head. An organization that a restore does not list did not exist then. */
  private restoresAgainst(chain: Chain, corp_id: string, { length, at }: ExpectedLink): string[] {
    const against = [...this.restores].filter(([restoredAt, ends]) => {
      const end = ends.get(corp_id)
      const reached = (chain === 'audit' ? end?.length : end?.ledger_length) ?? 0
      return restoredAt > at && length > reached
    })
    return against.map(([restoredAt]) => restoredAt)
  }
}

type Known = Map<string, ExpectedLink>

function note(found: Map<string, Known>, corp_id: string, link: ExpectedLink): void {
  if (link.length === 0) return
  const known: Known = found.get(corp_id) ?? new Map()
  found.set(corp_id, known)
  const key = `${link.length} ${link.head}`
  const before = known.get(key)
  if (!before || before.at < link.at) known.set(key, link)
}
