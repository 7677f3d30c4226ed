import { isEmail } from '../../../contract/formats.ts'
import { newId } from '../../../contract/new-id.ts'
import type { Queryable } from '../../../database/database.ts'
import { domainOf } from '../domains/domain-name.ts'
import { isVerified } from '../domains/domain-store.ts'
import { type AccountKey, findByEmail, findOrMakeStaff, setRoleAndName } from '../staff-store.ts'
import type { Assertion, PendingSignIn } from './openid.ts'
import type { Provider } from './provider-store.ts'

/** Tolerance for the authentication time of the provider, whose clock may differ. */
const clockToleranceMs = 60_000

/** The account of the person that the provider identified; undefined if the organization does not admit them. */
export async function admit(
  on: Queryable,
  provider: Provider,
  assertion: Assertion,
  { confirmsSinceMs }: PendingSignIn,
  now: Date,
): Promise<{ account: AccountKey; vouched_at: Date } | undefined> {
  const { email, authenticatedAt } = assertion
  if (!isEmail(email) || !isTrusted(provider, assertion)) return undefined
  const provedAtMs = Math.min(authenticatedAt?.getTime() ?? 0, now.getTime())
  if (confirmsSinceMs !== null && provedAtMs < confirmsSinceMs - clockToleranceMs) return undefined
  const staff_id = await memberOf(on, provider, assertion, now)
  if (staff_id === undefined) return undefined
  return { account: { corp_id: provider.corp_id, staff_id }, vouched_at: new Date(provedAtMs) }
}

function isTrusted({ trusts_emails, email_domains }: Provider, { email, isVerified }: Assertion): boolean {
  if (!(isVerified ?? trusts_emails)) return false
  return email_domains.length === 0 || email_domains.includes(domainOf(email))
}

/** An invited person; with a default role, also any person with an address of a verified domain. */
async function memberOf(
  on: Queryable,
  { corp_id, default_role, email_domains }: Provider,
  { email, name }: Assertion,
  now: Date,
): Promise<string | undefined> {
  const known = await findByEmail(on, corp_id, email)
  if (known?.is_disabled) return undefined
  if (known && known.role !== null) return known.staff_id
  const [role, domain] = [default_role, domainOf(email)]
  if (role === null || !email_domains.includes(domain)) return undefined
  if (!(await isVerified(on, corp_id, domain))) return undefined
  return on.transaction(async (tx) => {
    const wanted = { corp_id, staff_id: newId(), email, name: name?.slice(0, 100).trim() || email }
    const { staff_id } = await findOrMakeStaff(tx, { ...wanted, role: null, password_hash: null }, now)
    await setRoleAndName(tx, { ...wanted, staff_id, role }, now)
    tx.note({ record_type: 'staff', record_id: staff_id, after: { role } })
    return staff_id
  })
}
