import { Resolver } from 'node:dns/promises'
import { createFairShare, inTurn } from '../../../contract/limits/fair-share.ts'

/** Reasons why a lookup does not verify a domain. */
export const recordProblems = ['not_found', 'other_value', 'no_answer'] as const
export type RecordProblem = (typeof recordProblems)[number]

/** The TXT record with which the owner of a domain authorizes an organization. */
export function recordOf(domain: string, token: string): { name: string; value: string } {
  return { name: `_matricula.${domain}`, value: `matricula-verification=${token}` }
}

const timeoutMs = 5000
/** Foreign name servers can be slow, so that each organization has few lookups at a time. */
const turns = createFairShare({ places: 4, mostWaiting: 8, longestWaitMs: timeoutMs })

/** Undefined if the domain has the record. */
export async function lookUpRecord(
  corp_id: string,
  { domain, token }: { domain: string; token: string },
  /** Name servers; empty: those of the system. */
  servers: string[],
): Promise<RecordProblem | undefined> {
  const { name, value } = recordOf(domain, token)
  const texts = await inTurn(turns, corp_id, () => textsOf(name, servers))
  if (typeof texts === 'string') return texts
  if (texts.length === 0) return 'not_found'
  return texts.includes(value) ? undefined : 'other_value'
}

async function textsOf(name: string, servers: string[]): Promise<string[] | 'no_answer'> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), timeoutMs)
  try {
    // DNS splits a long text into pieces.
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join('').trim())
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return ['ENOTFOUND', 'ENODATA'].includes(code) ? [] : 'no_answer'
  } finally {
    clearTimeout(timer)
  }
}
