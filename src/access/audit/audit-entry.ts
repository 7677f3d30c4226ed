import {
  described,
  Id,
  NullableInteger,
  NullableString,
  namedObject,
  oneOf,
  Timestamp,
} from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'

export const auditActions = ['made', 'changed', 'removed', 'revealed', 'exported', 'erased'] as const

const Members = Type.Record(Type.String(), Type.Unknown())

export const AuditEntry = namedObject('AuditEntry', {
  seq: Type.Integer({ description: 'Position in the chain, from 1, without gaps' }),
  entry_id: Id,
  time: Timestamp,
  actor_kind: oneOf(['account', 'staff', 'system']),
  actor_id: described(Type.String(), 'The account, the member of staff, or the operating-system user'),
  address: described(NullableString, 'IP address of the caller'),
  request_id: NullableString,
  operation: described(Type.String(), 'The operation or command'),
  action: oneOf(auditActions),
  record_type: Type.String(),
  record_id: Type.String(),
  version: described(
    NullableInteger,
    'Version of the record after the change, if the record has versions. The history of an order has its content before and after',
  ),
  before: described(Members, 'Members that differ'),
  after: Members,
  is_erased: Type.Boolean({ description: 'Whether the personal part was erased' }),
})

type AuditEntry = Static<typeof AuditEntry>

export interface StoredEntry extends Omit<AuditEntry, 'before' | 'after'> {
  before: object | null
  after: object | null
  /** The personal part as JSON; null if there is none or it was erased. */
  personal: string | null
}

export function entryOf({ personal, before, after, ...entry }: StoredEntry): AuditEntry {
  const personalPart: { before?: object; after?: object } = JSON.parse(personal ?? '{}')
  return {
    ...entry,
    before: { ...before, ...personalPart.before },
    after: { ...after, ...personalPart.after },
  }
}
