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

export const mostDomains = 50

/** Reads a domain as somebody wrote it. Throws where nobody can own it alone. */
export async function readDomain(param: string, text: string): Promise<string> {
  const domain = normalDomain(text)
  if (await isOwnable(domain)) return domain
  throw invalid(param, 'must be a domain that one organization can own, such as school.example', {
    reason: 'domain_not_ownable',
  })
}

/** Domains that are there already stay as they are. New ones wait for verification. */
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
    if (added.length > 0 && (await countDomains(tx, corp_id)) > mostDomains)
      throw invalid('domain', `is one too many: an organization has at most ${mostDomains}`, {
        reason: 'too_many_domains',
      })
    tx.note(
      ...added.map((domain) => ({ record_type: 'sign_in_domains', record_id: domain, after: { domain } })),
    )
  })
}

const mostChecksAMinute = 20
const checks = createRateCounter(10_000)

/** Looks the record up, outside of any transaction. Undefined where it proves the domain, which then takes effect. */
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
    // Removed, or removed and named again, while DNS was asked.
    if ((await lockToken(tx, corp_id, domain)) !== token) throw new ApiError('domainNotFound')
    await takeOver(tx, { corp_id, domain, verified_by: 'dns' }, now)
  })
  return undefined
}

/** The operator vouches for the domain: DNS is not asked. */
export async function verifyByOperator(
  on: Queryable,
  corp_id: string,
  domain: string,
  now: Date,
): Promise<void> {
  await on.transaction(async (tx) => {
    await addDomains(tx, corp_id, [domain], now)
    await takeOver(tx, { corp_id, domain, verified_by: 'operator' }, now)
  })
}

/** Verified or not: from here on the organization does not speak for the domain. */
export async function removeDomain(on: Queryable, corp_id: string, domain: string): Promise<void> {
  await on.transaction(async (tx) => {
    if (!(await deleteDomain(tx, corp_id, domain))) throw new ApiError('domainNotFound')
    tx.note({ record_type: 'sign_in_domains', record_id: domain, before: { domain } })
  })
}

async function takeOver(
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
    'is verified for another organization: ask the operator of this service to release it',
    { reason: 'domain_taken' },
  )
}

async function refuseTooMany(corp_id: string, now: Date): Promise<void> {
  const { count, endsAtMs } = await checks.count('calls', corp_id, 1, now.getTime())
  if (count <= mostChecksAMinute) return
  throw new ApiError('tooManyRequests', {
    msg: `An organization may look its domains up ${mostChecksAMinute} times a minute.`,
    retryAfterSeconds: Math.ceil((endsAtMs - now.getTime()) / 1000),
  })
}
