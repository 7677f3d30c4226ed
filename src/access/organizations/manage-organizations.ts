import { isSupportedCountry } from 'libphonenumber-js'
import type { Organization } from '../../contract/caller.ts'
import { currencyExponents } from '../../contract/currencies.ts'
import { isLine } from '../../contract/formats.ts'
import { longest } from '../../contract/lengths.ts'
import { newId } from '../../contract/new-id.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { completeOrganization } from './new-organizations.ts'
import {
  countUsersByPool,
  findOrganizations,
  insertOrganization,
  isTimeZoneKnown,
  type OrganizationChange,
  updateOrganization,
} from './organization-store.ts'

type NewOrganization = Pick<Organization, 'name'> & Partial<Omit<Organization, 'is_suspended' | 'over_quota'>>

export async function createOrganization(
  db: Database,
  wanted: NewOrganization,
  now: Date,
): Promise<Organization> {
  const organization: Organization = {
    corp_id: wanted.corp_id === undefined ? newId() : readCorpId(wanted.corp_id),
    name: readName('The name of the organization', wanted.name),
    time_zone: await readTimeZone(db.shared, wanted.time_zone ?? 'UTC'),
    currency: readCurrency(wanted.currency ?? 'CNY'),
    country: readCountry(wanted.country ?? 'CN'),
    pools: readPools(wanted.pools ?? ['alive', 'dead', 'public']),
    is_suspended: false,
    over_quota: [],
  }
  const { corp_id } = organization
  await db.of(corp_id).transaction(async (tx) => {
    if (!(await insertOrganization(tx, organization, now)))
      throw new Error(`There already is an organization ${corp_id}.`)
    await completeOrganization(tx, corp_id)
  })
  return organization
}

/**
 * Omitted members keep their values. An invalid member changes nothing. `rebuildLocalTimes` runs in the same transaction
 * when the time zone changes.
 */
export async function changeOrganization(
  db: Pick<Database, 'shared' | 'of'>,
  corp_id: string,
  wanted: OrganizationChange,
  now: Date,
  rebuildLocalTimes: (tx: Queryable, corp_id: string) => Promise<void>,
): Promise<Organization> {
  const { name, time_zone, currency, country, pools } = wanted
  const change: OrganizationChange = {
    ...(name !== undefined && { name: readName('The name of the organization', name) }),
    ...(time_zone !== undefined && { time_zone: await readTimeZone(db.shared, time_zone) }),
    ...(currency !== undefined && { currency: readCurrency(currency) }),
    ...(country !== undefined && { country: readCountry(country) }),
    ...(pools !== undefined && { pools: readPools(pools) }),
  }
  if (Object.keys(change).length === 0) throw new Error('No change was given.')
  return db.of(corp_id).transaction(async (tx) => {
    const [before] = await findOrganizations(tx, [corp_id])
    const after = before && (await updateOrganization(tx, corp_id, change, now))
    if (!after) throw new Error(`There is no organization ${corp_id}.`)
    await refuseLossOfUsedPools(tx, before, after)
    tx.note({ record_type: 'organizations', record_id: corp_id, before, after })
    if (after.time_zone !== before.time_zone) await rebuildLocalTimes(tx, corp_id)
    return after
  })
}

async function refuseLossOfUsedPools(
  tx: Queryable,
  before: Organization,
  after: Organization,
): Promise<void> {
  const removed = before.pools.filter((pool) => !after.pools.includes(pool))
  const [used] = removed.length > 0 ? await countUsersByPool(tx, after.corp_id, removed) : []
  if (used) {
    const users = used.users === 1 ? '1 user is' : `${used.users} users are`
    throw new Error(`The pool ${used.pool} cannot be removed, because ${users} still in it.`)
  }
}

/** Names are shown on terminals and in documents, so that control characters are refused. */
export function readName(what: string, text: string): string {
  const name = text.trim()
  if (name === '') throw new Error(`${what} must not be empty.`)
  if (name.length > longest.name) throw new Error(`${what} must have at most ${longest.name} characters.`)
  if (!isLine(name)) throw new Error(`${what} must not contain control characters.`)
  return name
}

function readCorpId(text: string): string {
  if (/^[\w.-]+$/.test(text) && text.length <= longest.id) return text
  throw new Error(
    `The corp_id ${quote(text)} is invalid: use 1 to ${longest.id} letters, digits, dots, hyphens or underscores.`,
  )
}

/** Both Temporal, which parses dates, and PostgreSQL, which renders them, must know the zone. Returns its usual spelling. */
async function readTimeZone(on: Queryable, text: string): Promise<string> {
  const zone = spellTimeZone(text)
  if (zone !== undefined && (await isTimeZoneKnown(on, zone))) return zone
  throw new Error(
    `The time zone ${quote(text)} is unknown: use a name of the IANA database, such as Asia/Shanghai.`,
  )
}

function spellTimeZone(text: string): string | undefined {
  try {
    return new Temporal.ZonedDateTime(0n, text).timeZoneId
  } catch {
    return undefined
  }
}

function readCurrency(text: string): string {
  const currency = text.toUpperCase()
  if (Object.hasOwn(currencyExponents, currency)) return currency
  throw new Error(`The currency ${quote(text)} is unknown: use a code of ISO 4217, such as CNY.`)
}

function readCountry(text: string): string {
  const country = text.toUpperCase()
  if (isSupportedCountry(country)) return country
  throw new Error(`The country ${quote(text)} is unknown: use a code of ISO 3166, such as CN.`)
}

function readPools(texts: string[]): string[] {
  const pools = texts.map((text) => text.trim())
  const fault = pools.find((pool) => pool === '' || pool.length > longest.id || !isLine(pool))
  if (pools.length === 0 || fault !== undefined) {
    throw new Error(`The pool ${quote(fault ?? '')} is invalid: use 1 to ${longest.id} characters.`)
  }
  const twice = pools.find((pool, index) => pools.indexOf(pool) !== index)
  if (twice !== undefined) throw new Error(`The pool ${twice} is listed twice.`)
  return pools
}

function quote(text: string): string {
  return JSON.stringify(text.length > longest.id ? `${text.slice(0, longest.id)}…` : text)
}
