import { contact } from '../../contract/contacts.ts'
import {
  AreaCode,
  described,
  Email,
  Id,
  Mobile,
  Name,
  namedObject,
  oneOf,
  optionalLine,
  optionalText,
  Timestamp,
} from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { type Static, Type } from '../../contract/type.ts'

const payerKinds = ['person', 'parent', 'employer', 'sponsor', 'other', 'unknown'] as const

export const PayerKind = oneOf(
  payerKinds,
  'person: pays for themselves; unknown: money arrived, and nobody knows yet from whom',
)

/** The guard of operations on payers. */
export const anyPayer = {
  people: 'everyone',
  why: 'A payer belongs to the school, not to a counsellor.',
} as const

/** The operations on payers share these members. */
export const payerOperation = { group: 'Finance', since: 'Ver5.2026-11-18', permission: 'finance' } as const

/** The members of a payer that callers set. */
export const payerMembers = {
  name: Type.Optional(Name),
  kind: Type.Optional(PayerKind),
  user_id: Type.Optional(described(Id, 'The user that the payer is, where the school knows them')),
  contact_name: optionalLine(longest.name, 'The person to talk to, for an employer or sponsor'),
  area_code: Type.Optional(AreaCode),
  mobile: Type.Optional(Mobile),
  email: Type.Optional(Email),
  address: optionalText(longest.shortText, 'The postal address for invoices'),
  tax_number: optionalLine(longest.id, 'The tax number for invoices'),
  reference: optionalLine(longest.id, 'The number of the payer in the books of the school; unique'),
  remarks: optionalText(),
}

const Text = Type.String()

export const PayerRow = namedObject('Payer', {
  payer_id: Id,
  kind: PayerKind,
  name: described(Text, '"" for an erased payer'),
  user_id: Text,
  contact_name: Text,
  area_code: Text,
  mobile: contact('mobile', Text),
  email: contact('email', Text),
  address: Text,
  tax_number: Text,
  reference: Text,
  remarks: Text,
  version: Type.Integer(),
  ctime: Timestamp,
  mtime: Timestamp,
})
export type PayerRow = Static<typeof PayerRow>

export const examplePayer: PayerRow = {
  payer_id: '01906bce52507e7d9c7a520fbd98cd21',
  kind: 'employer',
  name: 'Harbour Logistics Ltd',
  user_id: '',
  contact_name: 'Chen Jie',
  area_code: '86',
  mobile: '13800138000',
  email: 'accounts@harbour.example',
  address: '8 Quay Road, Shanghai',
  tax_number: '91310000MA1FL0L000',
  reference: 'D-1042',
  remarks: '',
  version: 1,
  ctime: '2026-11-18 10:00:00',
  mtime: '2026-11-18 10:00:00',
}

export const exampleCorp = 'lakeside'
