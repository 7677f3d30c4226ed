import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import {
  BigInteger,
  described,
  Id,
  NullableBigInteger,
  NullableInstant,
  namedObject,
  OrganizationId,
} from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { importsOfDay, usedOf, usedUp } from './measure-usage.ts'
import { findMeasure, findQuotas, listUsageDays } from './usage-store.ts'

const quota = (description: string) => described(NullableBigInteger, `${description}; null: no quota`)

const Usage = namedObject('OrganizationUsage', {
  corp_id: Id,
  used: Type.Object({
    calls_per_day: described(BigInteger, 'Calls of programs today (UTC)'),
    rows: described(NullableBigInteger, 'Stored rows at the last measure; null before the first'),
    bytes: described(
      NullableBigInteger,
      'Estimated bytes of these rows and their indexes; null where unknown',
    ),
    imports_per_day: Type.Integer({ description: 'Imports of files that began today (UTC)' }),
  }),
  quotas: Type.Object({
    calls_per_day: quota('Calls of programs per day'),
    rows: quota('Stored rows'),
    bytes: quota('Stored bytes'),
    imports_per_day: quota('Imports of files per day'),
  }),
  used_up: Type.Array(Type.String(), { description: 'The quotas that are used up' }),
  measured_at: described(NullableInstant, 'The time of the last measure of rows and bytes'),
  rows_by_table: Type.Record(Type.String(), Type.Integer(), { description: 'Rows at the last measure' }),
  days: Type.Array(
    Type.Object({
      day: Type.String({ format: 'date' }),
      program_calls: BigInteger,
      staff_calls: BigInteger,
    }),
    { description: 'Calls of the last days (UTC), the newest first' },
  ),
})

const shownDays = 31

/** The usage of an organization, for its staff, its programs and the command line. */
export async function readUsage(on: Queryable, corp_id: string, now: Date): Promise<Static<typeof Usage>> {
  const measure = await findMeasure(on, corp_id)
  const days = await listUsageDays(on, corp_id, shownDays)
  const quotas = await findQuotas(on, corp_id)
  const used = usedOf(measure, days[0], await importsOfDay(on, corp_id, now), now)
  return {
    corp_id,
    used,
    quotas,
    used_up: usedUp(quotas, used),
    measured_at: measure?.measured_at.toISOString() ?? null,
    rows_by_table: measure?.rows ?? {},
    days,
  }
}

export const fetchUsage = endpoint({
  id: 'fetchUsage',
  method: 'GET',
  path: '/api/v5/entity/organization/usage',
  group: 'Organizations',
  permission: 'read',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Fetch the usage and the quotas of the organization',
  description:
    'Calls are counted with a delay of seconds, rows and bytes about once an hour. The operator of the service sets quotas.',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Usage,
  example: {
    input: { corp_id: exampleIds.corp_id },
    data: {
      corp_id: exampleIds.corp_id,
      used: { calls_per_day: 1204, rows: 81_240, bytes: 96_500_000, imports_per_day: 2 },
      quotas: { calls_per_day: 100_000, rows: null, bytes: null, imports_per_day: 50 },
      used_up: [],
      measured_at: '2026-11-15T02:00:00.000Z',
      rows_by_table: { users: 20_000, orders: 9120 },
      days: [{ day: '2026-11-15', program_calls: 1204, staff_calls: 388 }],
    },
  },

  async handle({ db, now }, { corp_id }) {
    return readUsage(db, corp_id, now)
  },
})
