import { randomBytes } from 'node:crypto'
import { ApiError, invalid, taken } from '../../../contract/errors.ts'
import { createRateCounter } from '../../../contract/limits/rate-counter.ts'
import type { Queryable } from '../../../database/database.ts'
import { isOwnable, normalDomain } from './domain-name.ts'
import {
  countDomains,
  deleteDomain,
  insertDomains,
  insertVerified,
  isVerified,
  lockToken,
  type VerifiedBy,
} from './domain-store.ts'
import { lookUpRecord, type RecordProblem } from './look-up-record.ts'

export const maxDomains = 50

/** Normalizes a domain. Throws if a single organization cannot own it. */
export async function readDomain(param: string, text: string): Promise<string> {
  const domain = normalDomain(text)
  if (await isOwnable(domain)) return domain
  throw invalid(param, 'must be a domain that one organization can own, such as school.example', {
    reason: 'domain_not_ownable',
  })
}

/** Adds domains, which need verification. Existing domains stay as they are. */
export async function addDomains(
  on: Queryable,
  corp_id: string,
  domains: string[],
  now: Date,
): Promise<void> {
  if (domains.length === 0) return
  await on.transaction(async (tx) => {
    const wanted = domains.map((domain) => ({ domain, token: randomBytes(32).toString('base64url') }))
    const added = await insertDomains(tx, corp_id, wanted, now)
    if (added.length > 0 && (await countDomains(tx, corp_id)) > maxDomains)
      throw invalid('domain', `exceeds the limit: an organization has at most ${maxDomains} domains`, {
        reason: 'too_many_domains',
      })
    tx.note(
      ...added.map((domain) => ({ record_type: 'sign_in_domains', record_id: domain, after: { domain } })),
    )
  })
}

const maxChecksPerMinute = 20
const checks = createRateCounter(10_000)

/** Looks the record up, outside of any transaction. Verifies the domain, or returns the problem. */
export async function verifyByRecord(
  on: Queryable,
  corp_id: string,
  domain: string,
  dnsServers: string[],
  now: Date,
): Promise<RecordProblem | undefined> {
  const token = await lockToken(on, corp_id, domain)
  if (token === undefined) throw new ApiError('domainNotFound')
  if (await isVerified(on, corp_id, domain)) return undefined
  await refuseTooMany(corp_id, now)
  const problem = await lookUpRecord(corp_id, { domain, token }, dnsServers)
  if (problem) return problem
  await on.transaction(async (tx) => {
    // The domain may have been removed, or removed and added again, during the lookup.
    if ((await lockToken(tx, corp_id, domain)) !== token) throw new ApiError('domainNotFound')
    await storeVerified(tx, { corp_id, domain, verified_by: 'dns' }, now)
  })
  return undefined
}

/** The operator verifies the domain, without DNS. */
export async function verifyByOperator(
  on: Queryable,
  corp_id: string,
  domain: string,
  now: Date,
): Promise<void> {
  await on.transaction(async (tx) => {
    await addDomains(tx, corp_id, [domain], now)
    await storeVerified(tx, { corp_id, domain, verified_by: 'operator' }, now)
  })
}

/** Removes a domain, verified or not. */
export async function removeDomain(on: Queryable, corp_id: string, domain: string): Promise<void> {
  await on.transaction(async (tx) => {
    if (!(await deleteDomain(tx, corp_id, domain))) throw new ApiError('domainNotFound')
    tx.note({ record_type: 'sign_in_domains', record_id: domain, before: { domain } })
  })
}

async function storeVerified(
  tx: Queryable,
  wanted: { corp_id: string; domain: string; verified_by: VerifiedBy },
  now: Date,
): Promise<void> {
  const { corp_id, domain, verified_by } = wanted
  if (await insertVerified(tx, wanted, now)) {
    tx.note({ record_type: 'verified_domains', record_id: domain, after: { domain, verified_by } })
    return
  }
  if (await isVerified(tx, corp_id, domain)) return
  throw taken(
    'domain',
    'is verified for another organization: ask the operator of this service to remove it there',
    { reason: 'domain_taken' },
  )
}

async function refuseTooMany(corp_id: string, now: Date): Promise<void> {
  const { count, endsAtMs } = await checks.count('calls', corp_id, 1, now.getTime())
  if (count <= maxChecksPerMinute) return
  throw new ApiError('tooManyRequests', {
    msg: `An organization can verify domains ${maxChecksPerMinute} times per minute. Try again later.`,
    retryAfterSeconds: Math.ceil((endsAtMs - now.getTime()) / 1000),
  })
}
