import {
  BigInteger,
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
  seq: described(BigInteger, 'Position in the chain, from 1, without gaps'),
  entry_id: Id,
  time: Timestamp,
  actor_kind: oneOf(
    ['account', 'staff', 'support', 'system'],
    'support: somebody of the operator, whom the school let in',
  ),
  actor_id: described(
    Type.String(),
    'The account, the member of staff, the access of a support person, or the operating-system user',
  ),
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

export const ListedAuditEntry = namedObject('ListedAuditEntry', {
  ...AuditEntry.properties,
  subject_id: Type.String({ description: 'The person that the entry is about; "" for none' }),
  subject_name: Type.String({ description: 'Name of that person; "" without a name, or after an erasure' }),
})

export interface StoredEntry extends Omit<AuditEntry, 'before' | 'after'> {
  before: object | null
  after: object | null
  /** The personal part as JSON; null if there is none or it was erased. */
  personal: string | null
}

export function entryOf<Entry extends StoredEntry>({
  personal,
  before,
  after,
  ...entry
}: Entry): Omit<Entry, 'personal' | 'before' | 'after'> & Pick<AuditEntry, 'before' | 'after'> {
  const personalPart: { before?: object; after?: object } = JSON.parse(personal ?? '{}')
  return {
    ...entry,
    before: { ...before, ...personalPart.before },
    after: { ...after, ...personalPart.after },
  }
}
