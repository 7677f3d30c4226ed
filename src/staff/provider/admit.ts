import { isEmail } from '../../contract/formats.ts'
import { newId } from '../../contract/new-id.ts'
import type { Queryable } from '../../database/database.ts'
import { domainOf } from '../domains/domain-name.ts'
import { isVerified } from '../domains/domain-store.ts'
import type { Vouched } from '../sessions.ts'
import { findByEmail, findColleague, findOrMakeStaff, setRole } from '../staff-store.ts'
import type { Assertion, Errand } from './openid.ts'
import type { Provider } from './provider-store.ts'

/** How long before they were sent there somebody may have proved to be there: clocks differ. */
const clockToleranceMs = 60_000

/** Whom the provider vouched for, as far as the organization lets it; undefined for everybody else. */
export async function admit(
  on: Queryable,
  provider: Provider,
  assertion: Assertion,
  { againSinceMs }: Errand,
  now: Date,
): Promise<{ staff_id: string; vouched: Vouched } | undefined> {
  const { email, authenticatedAt } = assertion
  if (!isEmail(email) || !isBelieved(provider, assertion)) return undefined
  const provedAtMs = Math.min(authenticatedAt?.getTime() ?? 0, now.getTime())
  if (againSinceMs !== null && provedAtMs < againSinceMs - clockToleranceMs) return undefined
  const staff_id = await memberOf(on, provider, assertion, now)
  const vouched = { corp_id: provider.corp_id, confirmed_at: new Date(provedAtMs) }
  return staff_id === undefined ? undefined : { staff_id, vouched }
}

function isBelieved({ trusts_emails, email_domains }: Provider, { email, isVerified }: Assertion): boolean {
  if (!(isVerified ?? trusts_emails)) return false
  return email_domains.length === 0 || email_domains.includes(domainOf(email))
}

/** Somebody who was invited; or, where the organization says so, anybody with an address of its verified domains. */
async function memberOf(
  on: Queryable,
  { corp_id, default_role, email_domains }: Provider,
  { email, name }: Assertion,
  now: Date,
): Promise<string | undefined> {
  const known = await findByEmail(on, email)
  if (known?.is_disabled) return undefined
  if (known && (await findColleague(on, corp_id, known.staff_id))) return known.staff_id
  const domain = domainOf(email)
  if (default_role === null || !email_domains.includes(domain)) return undefined
  if (!(await isVerified(on, corp_id, domain))) return undefined
  return on.transaction(async (tx) => {
    const wanted = { staff_id: newId(), email, name: name?.slice(0, 100).trim() || email }
    const { staff_id } = await findOrMakeStaff(tx, wanted, now)
    await setRole(tx, { staff_id, corp_id, role: default_role }, now)
    tx.note({ record_type: 'staff_roles', record_id: staff_id, after: { corp_id, role: default_role } })
    return staff_id
  })
}
