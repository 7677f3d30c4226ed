import { Resolver } from 'node:dns/promises'
import { createFairShare, inTurn } from '../../../contract/limits/fair-share.ts'

/** Why the record of a domain proves nothing. */
export const recordProblems = ['not_found', 'other_value', 'no_answer'] as const
export type RecordProblem = (typeof recordProblems)[number]

/** The TXT record by which the owner of a domain shows that an organization may speak for it. */
export function recordOf(domain: string, token: string): { name: string; value: string } {
  return { name: `_matricula.${domain}`, value: `matricula-verification=${token}` }
}

const longestMs = 5000
/** Lookups wait for servers that strangers run: a few at a time, for each organization. */
const turns = createFairShare({ places: 4, mostWaiting: 8, longestWaitMs: longestMs })

/** Undefined where the domain has the record. */
export async function lookUpRecord(
  corp_id: string,
  { domain, token }: { domain: string; token: string },
  /** Empty: those of the system. */
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
  const timer = setTimeout(() => resolver.cancel(), longestMs)
  try {
    // A long text comes in pieces.
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join('').trim())
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return ['ENOTFOUND', 'ENODATA'].includes(code) ? [] : 'no_answer'
  } finally {
    clearTimeout(timer)
  }
}
