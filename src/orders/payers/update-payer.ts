import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { Id, OrganizationId } from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import { Version } from '../ledger/fields.ts'
import { textOr } from '../offerings/fields.ts'
import { refuseStale } from '../rules/stale.ts'
import { numberIsWhole, refuseTakenReference } from './create-payer.ts'
import { anyPayer, exampleCorp, examplePayer, payerMembers, payerOperation } from './payer-row.ts'
import { holdUser, lockPayer, type Payer, updatePayerRow } from './payer-store.ts'

const Input = Type.Object({
  corp_id: OrganizationId,
  payer_id: Id,
  version: Type.Optional(Version),
  ...payerMembers,
})

/** Changes a payer. */
export const updatePayer = endpoint({
  ...payerOperation,
  id: 'updatePayer',
  method: 'POST',
  path: '/api/v5/entity/payer/update',
  guard: { effect: 'changes', ...anyPayer },
  summary: 'Change a payer',
  description:
    'Omitted members keep their value. An empty text removes the value. Repeating a call changes nothing.',
  input: Input,
  rules: numberIsWhole,
  data: Type.Object({ payer_id: Id, version: Type.Integer() }),
  example: {
    input: { corp_id: exampleCorp, payer_id: examplePayer.payer_id, contact_name: 'Li Na' },
    data: { payer_id: examplePayer.payer_id, version: 2 },
  },
  errors: ['payerNotFound', 'userNotFound', 'staleVersion', 'taken'],

  async handle({ db, now }, { corp_id, payer_id, version, ...members }) {
    return db.transaction(async (tx) => {
      const before = await lockPayer(tx, corp_id, payer_id)
      if (!before) throw new ApiError('payerNotFound')
      refuseStale(before.version!, version, 'payer')
      const { user_id } = members
      if (user_id !== undefined && !(await holdUser(tx, corp_id, user_id))) throw new ApiError('userNotFound')
      const edited = editedBy(before, members)
      if (JSON.stringify(edited) === JSON.stringify(before)) return { payer_id, version: before.version! }
      const after = { ...edited, mtime: now, version: before.version! + 1 }
      await updatePayerRow(tx, corp_id, before, after).catch(refuseTakenReference)
      return { payer_id, version: after.version }
    })
  },
})

type Members = Omit<Static<typeof Input>, 'corp_id' | 'payer_id' | 'version'>

function editedBy(before: Payer, members: Members): Payer {
  return {
    ...before,
    kind: members.kind ?? before.kind,
    name: members.name ?? before.name,
    user_id: members.user_id ?? before.user_id,
    contact_name: textOr(members.contact_name, before.contact_name),
    area_code: members.area_code ?? before.area_code,
    mobile: members.mobile ?? before.mobile,
    email: members.email ?? before.email,
    address: textOr(members.address, before.address),
    tax_number: textOr(members.tax_number, before.tax_number),
    reference: textOr(members.reference, before.reference),
    remarks: textOr(members.remarks, before.remarks),
  }
}
