import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, type InputFault, taken } from '../../contract/errors.ts'
import { Id, Name, OrganizationId } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import { mobileNumberFaults } from '../../people/users/mobile-number.ts'
import { anyPayer, exampleCorp, examplePayer, payerMembers, payerOperation } from './payer-row.ts'
import { holdUser, insertPayer, type Payer } from './payer-store.ts'

const Input = Type.Object({ corp_id: OrganizationId, ...payerMembers, name: Name })
type NewPayer = Omit<Static<typeof Input>, 'corp_id'>

/** Creates a payer. */
export const createPayer = endpoint({
  ...payerOperation,
  id: 'createPayer',
  method: 'POST',
  path: '/api/v5/entity/payer/create',
  guard: { effect: 'changes', ...anyPayer },
  summary: 'Create a payer',
  description:
    'Somebody who pays for orders: a parent, an employer, a sponsor, or the person. A payment names its payer with ' +
    'payer_id. Two payers may have the same name; a reference belongs to one payer.',
  input: Input,
  rules: numberIsWhole,
  data: Type.Object({ payer_id: Id, version: Type.Integer() }),
  example: {
    input: {
      corp_id: exampleCorp,
      kind: 'employer',
      name: examplePayer.name,
      tax_number: examplePayer.tax_number,
    },
    data: { payer_id: examplePayer.payer_id, version: 1 },
  },
  errors: ['userNotFound', 'taken'],

  async handle(context, { corp_id: _, ...payer }) {
    const { payer_id, version } = await context.db.transaction((tx) => makePayer(tx, context, payer))
    return { payer_id: payer_id!, version: version! }
  },
})

/** An area code and a number are sent together. */
export function numberIsWhole(
  input: { area_code?: string; mobile?: string },
  isSent: (name: string) => boolean,
): InputFault[] {
  const half = ['area_code', 'mobile'].filter((name) => !isSent(name))
  if (half.length === 1)
    return [{ param: half[0]!, reason: 'must be sent with the other half of the number' }]
  return mobileNumberFaults(input)
}

/** Stores a payer in the transaction of the caller. */
export async function makePayer(
  tx: Queryable,
  { organization, account, newId, now }: Omit<OrganizationContext, 'db'>,
  { name, kind = 'other', ...members }: NewPayer,
): Promise<Payer> {
  const { corp_id } = organization
  if (members.user_id !== undefined && !(await holdUser(tx, corp_id, members.user_id)))
    throw new ApiError('userNotFound')
  const payer = {
    payer_id: newId(),
    ...{ kind, name, user_id: members.user_id ?? null },
    contact_name: members.contact_name || null,
    area_code: members.area_code ?? null,
    mobile: members.mobile ?? null,
    email: members.email ?? null,
    address: members.address || null,
    tax_number: members.tax_number || null,
    reference: members.reference || null,
    remarks: members.remarks || null,
    ...{ executor_id: account.app_id, ctime: now, mtime: now, version: 1 },
  }
  await insertPayer(tx, corp_id, payer).catch(refuseTakenReference)
  return payer
}

export function refuseTakenReference(error: unknown): never {
  if (isUniqueViolation(error, 'payers_by_reference')) throw taken('reference', 'belongs to another payer')
  throw error
}
