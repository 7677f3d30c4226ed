import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, NullableString, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { isOnAccount } from './account-store.ts'
import { anyPayer, exampleCorp, examplePayer, payerOperation } from './payer-row.ts'
import { findPayerIds, setPayerOfPayment } from './payer-store.ts'

/** Sets or corrects the payer of a payment. */
export const assignPayer = endpoint({
  ...payerOperation,
  id: 'assignPayer',
  method: 'POST',
  path: '/api/v5/entity/payment/payer/update',
  guard: { effect: 'changes', ...anyPayer },
  summary: 'Set the payer of a payment',
  description:
    'The money does not move, and the ledger does not change: only the statement of account that shows the payment does. ' +
    'Without payer_id, the payment has no payer. The audit has both payers.',
  input: Type.Object({ corp_id: OrganizationId, payment_id: Id, payer_id: Type.Optional(Id) }),
  data: Type.Object({
    payment_id: Id,
    payer_id: NullableString,
    payer_before: described(NullableString, 'The payer until now'),
  }),
  example: {
    input: {
      corp_id: exampleCorp,
      payment_id: '01a0121322587365aa30fc31c91b3d5f',
      payer_id: examplePayer.payer_id,
    },
    data: {
      payment_id: '01a0121322587365aa30fc31c91b3d5f',
      payer_id: examplePayer.payer_id,
      payer_before: null,
    },
  },
  errors: ['paymentNotFound', 'payerNotFound', 'stateForbids'],

  async handle({ db }, { corp_id, payment_id, payer_id = null }) {
    return db.transaction(async (tx) => {
      if (payer_id !== null && !(await findPayerIds(tx, corp_id, [payer_id])).has(payer_id))
        throw new ApiError('payerNotFound')
      if (payer_id === null) await refuseNameless(tx, corp_id, payment_id)
      const before = await setPayerOfPayment(tx, { corp_id, payment_id, payer_id })
      if (!before) throw new ApiError('paymentNotFound')
      if (before.is_erased && before.payer_id !== payer_id) throw erasedPayer()
      return { payment_id, payer_id, payer_before: before.payer_id }
    })
  },
})

/** The check of the ledger accepts missing comments only of a payment whose payer is erased. */
function erasedPayer(): ApiError {
  return new ApiError('stateForbids', {
    msg: 'The payer of the payment was erased. The payment keeps it.',
    allowed: [],
    extra: { reason: 'payer_erased' },
  })
}

/** Money on the account of a payer needs a name. */
async function refuseNameless(tx: Queryable, corp_id: string, payment_id: string): Promise<void> {
  if (!(await isOnAccount(tx, corp_id, payment_id))) return
  throw new ApiError('stateForbids', {
    msg: 'The payment was recorded for a payer. Name another payer instead of none.',
    allowed: [],
  })
}
