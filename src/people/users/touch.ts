import { Timestamp } from '../../contract/fields.ts'
import { recordOf } from '../../contract/record-of.ts'
import { Type } from '../../contract/type.ts'

/** The fields of a lead that a touch shows, besides its id and time. */
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

const texts = recordOf(touchFields, () => Type.String())
const members = { lead_id: Type.String(), time: Timestamp, ...texts }

/** The first or last lead of a user; null without leads. */
export const Touch = Type.Unsafe<Touch | null>({
  type: ['object', 'null'],
  properties: members,
  required: Object.keys(members),
  description: 'The first or last lead of the user; null without leads',
})

type Touch = { lead_id: string; time: string } & Record<(typeof touchFields)[number], string>
