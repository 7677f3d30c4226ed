import { instantOfLocal } from '../../contract/days.ts'
import { OrganizationId, oneOf } from '../../contract/fields.ts'
import { pageParameters, windowOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import type { OfferingPage } from './offering-store.ts'

/** The shared members of the operations on courses, batches and coupons. */

export const ClearableTime = Type.String({
  format: 'clearable-time',
  description: 'YYYY-MM-DD HH:MM:SS, or YYYY-MM-DD, in the zone of the organization; empty takes it away',
})
export const ClearableDate = Type.String({
  format: 'clearable-date',
  description: 'YYYY-MM-DD; empty takes it away',
})

/** An omitted member stays unchanged; an empty one is removed. */
export function textOr(sent: string | undefined, current: string | null | undefined): string | null {
  return sent === undefined ? (current ?? null) : sent === '' ? null : sent
}

export function timeOr(
  sent: string | undefined,
  current: Date | string | null | undefined,
  read: (text: string) => Date,
): Date | null {
  if (sent === undefined) return current ? new Date(current) : null
  return sent === '' ? null : read(sent)
}

export function localTimes(timeZone: string) {
  return (text: string) => instantOfLocal(text, timeZone)
}

const isActive = oneOf(['true', 'false'], 'Only those that are active, or only those that are not')

export const pageInput = {
  corp_id: OrganizationId,
  is_active: Type.Optional(isActive),
  ...pageParameters,
}

export function filterOf(input: {
  corp_id: string
  is_active?: 'true' | 'false'
  course_id?: string
  page?: number
  page_size?: number
}): OfferingPage {
  const { corp_id, is_active, course_id } = input
  const { page, page_size } = windowOf(input)
  return { corp_id, course_id, page, page_size, ...(is_active && { is_active: is_active === 'true' }) }
}

/** The response of an upsert, without the id. */
export const made = {
  version: Type.Integer({ description: 'Of the record as it is now' }),
  is_created: Type.Boolean({ description: 'Whether this call made it' }),
}

export const exampleIds = {
  corp_id: 'lakeside',
  course_id: '0198c0deaaaa7c41a2f0d8e6b4937215',
  batch_id: '0198c0debbbb7c41a2f0d8e6b4937215',
}
