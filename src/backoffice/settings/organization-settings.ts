import { changeOrganization } from '../../access/organizations/manage-organizations.ts'
import { findOrganizations } from '../../access/organizations/organization-store.ts'
import type { Organization } from '../../contract/caller.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { described, Id, Name, NullableInteger, namedObject, OrganizationId } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { type Static, Type } from '../../contract/type.ts'
import { rebuildLocalTimes } from '../../derived/derived-data.ts'
import { changeEventDays, eventDays } from '../../events/event-retention.ts'
import { findEventDays } from '../../events/feed-store.ts'
import { type CounsellorRules, findCounsellorRules } from '../../orders/counsellors/counsellor-rules-store.ts'
import { changeCounsellorRules } from '../../orders/counsellors/manage-counsellor-rules.ts'
import { type ClaimRules, findClaimRules } from '../../people/users/claims/claim-store.ts'
import { changeClaimRules, largestRule } from '../../people/users/claims/manage-claim-rules.ts'
import { readable } from '../console/readable.ts'

const rule = (description: string) => described(NullableInteger, `${description}; null: no limit`)

const Settings = namedObject('OrganizationSettings', {
  corp_id: Id,
  name: Name,
  time_zone: described(Type.String(), 'Change it by command line, because all derived times are rebuilt'),
  currency: Type.String(),
  country: described(Type.String(), 'Country of mobile numbers without a calling code'),
  pools: Type.Array(Type.String()),
  most_held: rule('Users that an owner may hold'),
  most_per_day: rule('Users that an owner may claim per day'),
  hold_off_days: rule('Days before an owner may claim a released user again'),
  idle_days: rule('Days without a follow-up before a user returns to the public pool'),
  reveals_per_hour: rule('Contacts that a member of staff may reveal per hour'),
  counsellor_discount_basis_points: Type.Integer({
    description: 'Largest discount by a counsellor, in basis points of the list price; 0: none',
  }),
  counsellors_record_payments: Type.Boolean({ description: 'Whether counsellors record payments' }),
  event_days: Type.Integer({ description: 'Days that the event feed is kept' }),
})

/** 0 removes a rule, because null means omitted. */
const newRule = (description: string) =>
  Type.Optional(
    Type.Integer({ minimum: 0, maximum: largestRule, description: `${description}; 0: no limit` }),
  )

const example: Static<typeof Settings> = {
  corp_id: 'lakeside',
  name: 'Northgate College',
  time_zone: 'Asia/Shanghai',
  currency: 'CNY',
  country: 'CN',
  pools: ['alive', 'dead', 'public'],
  most_held: 200,
  most_per_day: 20,
  hold_off_days: 7,
  idle_days: 30,
  reveals_per_hour: 60,
  counsellor_discount_basis_points: 500,
  counsellors_record_payments: false,
  event_days: 90,
}

export const fetchOrganization = endpoint({
  group: 'Console',
  id: 'fetchOrganization',
  method: 'GET',
  path: '/api/v5/console/organization/fetch',
  permission: 'read',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Fetch the settings of an organization',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Settings,
  example: { input: { corp_id: example.corp_id }, data: example },

  async handle({ db }, { corp_id }) {
    const [organization] = await findOrganizations(db, [corp_id])
    const claimRules = await findClaimRules(db, corp_id)
    const counsellorRules = await findCounsellorRules(db, corp_id)
    return settingsOf(organization!, claimRules, counsellorRules, await findEventDays(db, corp_id))
  },
})

export const updateOrganization = endpoint({
  group: 'Console',
  id: 'updateOrganization',
  method: 'POST',
  path: '/api/v5/console/organization/update',
  permission: 'admin',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Change the settings of an organization',
  description: 'Only members that are sent change. A pool with users cannot be removed.',
  input: Type.Object({
    corp_id: OrganizationId,
    name: Type.Optional(Name),
    country: Type.Optional(
      Type.String({ pattern: '^[A-Za-z]{2}$', maxLength: 2, description: 'ISO 3166 code of two letters' }),
    ),
    pools: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: longest.listItems, description: 'All pools, in order' }),
    ),
    most_held: newRule('Users that an owner may hold'),
    most_per_day: newRule('Users that an owner may claim per day'),
    hold_off_days: newRule('Days before an owner may claim a released user again'),
    idle_days: newRule('Days without a follow-up before a user returns to the public pool'),
    reveals_per_hour: newRule('Contacts that a member of staff may reveal per hour'),
    counsellor_discount_basis_points: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description: 'Largest discount by a counsellor, in basis points of the list price; 0: none',
      }),
    ),
    counsellors_record_payments: Type.Optional(
      Type.Boolean({ description: 'Whether counsellors record payments' }),
    ),
    event_days: Type.Optional(
      Type.Integer({ ...eventDays, description: 'Days that the event feed is kept' }),
    ),
  }),
  data: Settings,
  example: { input: { corp_id: example.corp_id, name: example.name, idle_days: 30 }, data: example },

  async handle({ db, now }, input) {
    const { corp_id, name, country, pools, ...rules } = input
    const { counsellor_discount_basis_points, counsellors_record_payments, event_days, ...ofClaims } = rules
    return db.transaction(async (tx) => {
      const on = { shared: tx, of: () => tx }
      const change = { name, country, pools }
      const isChanged = Object.values(change).some((value) => value !== undefined)
      if (isChanged)
        await readable('pools', () => changeOrganization(on, corp_id, change, now, rebuildLocalTimes))
      const lifted = Object.entries(ofClaims).map(([rule, most]) => [rule, most === 0 ? null : most])
      const claimRules = await changeClaimRules(on, corp_id, Object.fromEntries(lifted))
      const counsellorRules = await changeCounsellorRules(on, corp_id, {
        discount_basis_points: counsellor_discount_basis_points,
        records_payments: counsellors_record_payments,
      })
      const keptDays = await changeEventDays(on, corp_id, event_days)
      const [organization] = await findOrganizations(tx, [corp_id])
      return settingsOf(organization!, claimRules, counsellorRules, keptDays)
    })
  },
})

function settingsOf(
  organization: Organization,
  { most_held, most_per_day, hold_off_days, idle_days, reveals_per_hour }: ClaimRules,
  counsellors: CounsellorRules,
  event_days: number,
): Static<typeof Settings> {
  const { corp_id, name, time_zone, currency, country, pools } = organization
  return {
    ...{ corp_id, name, time_zone, currency, country, pools },
    ...{ most_held, most_per_day, hold_off_days, idle_days, reveals_per_hour },
    counsellor_discount_basis_points: counsellors.discount_basis_points,
    counsellors_record_payments: counsellors.records_payments,
    event_days,
  }
}
