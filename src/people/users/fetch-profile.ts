import { contact } from '../../contract/contacts.ts'
import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import {
  described,
  Id,
  NullableInteger,
  NullableString,
  namedObject,
  OrganizationId,
  oneOf,
  Timestamp,
} from '../../contract/fields.ts'
import { examplePage, pageOf, pageParameters, windowOf } from '../../contract/paging.ts'
import { parseJsonBytes, RenderedJson } from '../../contract/rendered-json.ts'
import { type Static, Type } from '../../contract/type.ts'
import { fullName } from './full-name.ts'
import { findProfile, findUserRows } from './profile-store.ts'
import { Touch } from './touch.ts'
import { listEvents, userEvents } from './user-event-store.ts'
import { exampleUser, named, UserRow } from './user-row.ts'
import { isUser } from './user-store.ts'

/** Interface › User profile. */
const UserProfile = namedObject('UserProfile', {
  user_id: Type.String({ description: 'User ID' }),
  corp_id: Type.String({ description: 'Organization ID' }),
  name: Type.String({ description: 'Full name; composed of first and last name if only they are known' }),
  last_name: Type.String({ description: 'Last name; "" if unknown' }),
  first_name: Type.String({ description: 'First name; "" if unknown' }),
  area_code: Type.String({ description: 'Country calling code; "" if the user has no mobile number' }),
  mobile: contact('mobile', Type.String({ description: 'Mobile number; "" if the user has none' })),
  gender: NullableString,
  city: NullableString,
  city_raw: NullableString,
  city_mobile: NullableString,
  company_name: NullableString,
  job_title: NullableString,
  department: NullableString,
  industry: NullableString,
  age: NullableInteger,
  professional_profile_url: described(NullableString, 'Professional social profile'),
  first_touch: Touch,
  last_touch: Touch,
})

const exampleTouch = {
  lead_id: exampleIds.lead_id,
  time: '2026-11-15 10:00:00',
  utm_source: 'open-day',
  utm_medium: '',
  utm_campaign: '',
  utm_channel: '',
  utm_keyword: '',
  utm_term: '',
  campaign: '',
  bd_vid: '',
  page_id: '',
  course_code: 'EMBA',
}

/** Interface › Users › profile; the touches are an addition. */
export const fetchProfile = endpoint({
  id: 'fetchProfile',
  method: 'GET',
  path: '/api/v5/entity/profile/fetch',
  group: 'Users',
  since: 'Ver5.2023-11-01',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Fetch the profile of a user',
  input: Type.Object({ corp_id: OrganizationId, user_id: described(Id, 'User ID') }),
  data: UserProfile,
  example: {
    input: { corp_id: exampleIds.corp_id, user_id: exampleIds.user_id },
    data: {
      user_id: exampleIds.user_id,
      corp_id: exampleIds.corp_id,
      name: 'Mei Lin',
      last_name: 'Lin',
      first_name: 'Mei',
      area_code: '86',
      mobile: '13800138000',
      gender: 'female',
      city: 'Shanghai',
      city_raw: null,
      city_mobile: null,
      company_name: 'Harbour Logistics',
      job_title: 'Operations manager',
      department: 'Operations',
      industry: null,
      age: 34,
      professional_profile_url: null,
      first_touch: exampleTouch,
      last_touch: exampleTouch,
    },
  },
  errors: ['userNotFound'],

  async handle({ db, organization }, { user_id }) {
    const user = await findProfile(db, organization, user_id)
    if (!user) throw new ApiError('userNotFound')
    const { profile } = user
    if (hasName(profile)) return new RenderedJson(profile)
    const nameless: Static<typeof UserProfile> = parseJsonBytes(profile)
    return { ...nameless, name: fullName(nameless) }
  },
})

const namePrefix = ',"name":"'

/** Whether the rendered profile has a name. No value can contain the prefix: quotation marks in values are escaped. */
function hasName(profile: string): boolean {
  return profile[profile.indexOf(namePrefix) + namePrefix.length] !== '"'
}

const Members = contact('members', Type.Record(Type.String(), Type.Unknown()))

const HistoryRow = namedObject('UserChange', {
  version: Type.Integer({ description: 'Version of the user after the change' }),
  time: Timestamp,
  event: oneOf(userEvents),
  owner_id: described(NullableString, 'The owner that the change is about'),
  executor_id: described(NullableString, 'The account that made the change; null for automatic changes'),
  before: Members,
  after: Members,
})

/** The history of a user: executor, time, and the changed members before and after. */
export const listUserHistory = endpoint({
  id: 'listUserHistory',
  method: 'GET',
  path: '/api/v5/entity/user/history',
  group: 'Users',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List every change of a user',
  description:
    'Oldest first, without the creation. `before` and `after` hold the changed members, and `holder_id` if the change ' +
    'ended a claim.',
  input: Type.Object({
    corp_id: OrganizationId,
    user_id: described(Id, 'Global user ID'),
    ...pageParameters,
  }),
  data: pageOf(HistoryRow),
  example: {
    input: { corp_id: exampleIds.corp_id, user_id: exampleIds.user_id },
    data: examplePage<Static<typeof HistoryRow>>({
      version: 2,
      time: '2026-11-15 10:00:00',
      event: 'claimed',
      owner_id: exampleIds.owner_id,
      executor_id: exampleIds.app_id,
      before: { owner_ids: [], pool: 'public' },
      after: { owner_ids: [exampleIds.owner_id], pool: 'alive' },
    }),
  },
  errors: ['userNotFound'],

  async handle({ db, organization }, { corp_id, user_id, ...asked }) {
    if (!(await isUser(db, { corp_id, user_id }))) throw new ApiError('userNotFound')
    const { page, page_size, ...window } = windowOf(asked)
    const found = await listEvents(db, { corp_id, user_id }, window, organization.time_zone)
    return { total: found.total, page, page_size, list: found.list }
  },
})

/** A user as lists show it. */
export const fetchUser = endpoint({
  id: 'fetchUser',
  method: 'GET',
  path: '/api/v5/entity/user/fetch',
  group: 'Users',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'Fetch a user as lists show it',
  input: Type.Object({ corp_id: OrganizationId, user_id: described(Id, 'Global user ID') }),
  data: UserRow,
  example: {
    input: { corp_id: exampleUser.corp_id, user_id: exampleUser.user_id },
    data: exampleUser,
  },
  errors: ['userNotFound'],

  async handle({ db, organization }, { corp_id, user_id }) {
    const row = (await findUserRows(db, corp_id, [user_id], organization.time_zone)).get(user_id)
    if (!row) throw new ApiError('userNotFound')
    return named(row)
  },
})
