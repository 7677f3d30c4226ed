import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { taken } from '../../contract/errors.ts'
import { described, Email, Id, OrganizationId } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import { changeUser } from './change-user.ts'
import { isEmailOfMerged } from './merged-user-store.ts'

/** Interface › Users › e-mail. */
export const updateEmail = endpoint({
  id: 'updateEmail',
  method: 'POST',
  path: '/api/v5/entity/user/email/update',
  group: 'Users',
  since: 'Ver5.2024-07-25',
  permission: 'write',
  guard: { effect: 'changes', people: 'own' },
  summary: 'Set the e-mail address of a user',
  description: 'An address belongs to one user of the organization. Letter case is ignored.',
  input: Type.Object({
    user_id: described(Id, 'Global user ID'),
    email: described(Email, 'E-mail address'),
    corp_id: OrganizationId,
  }),
  data: Type.Object({ user_id: described(Id, 'Global user ID') }),
  example: {
    input: {
      user_id: exampleIds.user_id,
      email: 'mei.lin@example.com',
      corp_id: exampleIds.corp_id,
    },
    data: { user_id: exampleIds.user_id },
  },
  errors: ['userNotFound', 'taken'],

  async handle(context, { corp_id, user_id, email }) {
    const { db, account, now, reach } = context
    const changer = { db, corp_id, user_id, executor_id: account.app_id, now, reach }
    try {
      await changeUser(changer, async (user, tx) => {
        if (user.email === email) return undefined
        if (await isEmailOfMerged(tx, { corp_id, user_id }, email))
          throw taken('email', 'belongs to another user')
        return { event: 'email_changed', set: { email } }
      })
    } catch (error) {
      if (isUniqueViolation(error, 'users_by_email')) throw taken('email', 'belongs to another user')
      throw error
    }
    return { user_id }
  },
})
