import { Type } from 'typebox'
import { Timestamp } from '../../contract/fields.ts'

/** What a touch shows of a lead, beside its id and time. */
export const touchFields = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_channel',
  'utm_keyword',
  'utm_term',
  'campaign',
  'bd_vid',
  'page_id',
  'course_code',
] as const

const texts = Object.fromEntries(touchFields.map((name) => [name, Type.String()])) as Record<
  (typeof touchFields)[number],
  ReturnType<typeof Type.String>
>

const members = { lead_id: Type.String(), time: Timestamp, ...texts }

/** Where a user came from: the first or the last lead; null where there is none. */
export const Touch = Type.Unsafe<Touch | null>({
  type: ['object', 'null'],
  properties: members,
  required: Object.keys(members),
  description: 'The lead that first, or last, told of the user; null where none has',
})

type Touch = { lead_id: string; time: string } & Record<(typeof touchFields)[number], string>
