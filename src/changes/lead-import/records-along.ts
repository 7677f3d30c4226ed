import type { OrganizationContext } from '../../contract/endpoint.ts'
import type { Queryable } from '../../database/database.ts'
import { insertingRows } from '../../database/insert-rows.ts'
import { insertMissingTags } from '../../people/user-tags/user-tag-store.ts'
import { followUpColumns } from '../../people/users/follow-ups/follow-up-store.ts'
import type { AccompanyingWrites } from '../../people/users/project-users.ts'
import type { Change } from '../undo/change-batch-store.ts'
import { stampOf } from '../undo/record-images.ts'
import type { PlannedRow } from './plan-rows.ts'

type Context = Pick<OrganizationContext, 'account' | 'newId' | 'now' | 'organization'>

/** The notes of imported rows, as follow-ups at the time when the person asked. */
export function followUpWrites(
  { account, newId, now, organization: { corp_id } }: Context,
  planned: PlannedRow[],
): { writes: AccompanyingWrites; changes: Change[] } {
  const records = imported(planned).flatMap(({ along, lead, user_id }) =>
    along.note
      ? [
          {
            follow_up_id: newId(),
            user_id,
            owner_id: null,
            content: along.note,
            executor_id: account.app_id,
            ctime: lead.time ?? now,
            next_at: null,
            is_open: false,
          },
        ]
      : [],
  )
  return {
    writes: {
      statements: insertingRows('user_follow_ups', followUpColumns, corp_id, records),
      notes: records.map((after) => ({
        record_type: 'user_follow_ups',
        record_id: after.follow_up_id,
        person_id: after.user_id,
        after,
      })),
    },
    changes: records.map((record) => ({
      record_type: 'user_follow_ups' as const,
      record_id: record.follow_up_id,
      before: null,
      after: stampOf('user_follow_ups', record),
    })),
  }
}

/** Stores the tags of imported rows. A tag that the person has already stays as it is. */
export async function storeTags(
  tx: Queryable,
  { account, newId, now, organization: { corp_id } }: Context,
  planned: PlannedRow[],
  users: { user_id: string; ctime: Date }[],
): Promise<Change[]> {
  const tags = imported(planned).flatMap(({ along, user_id }) =>
    along.tags.map((tag) => ({
      ...tag,
      entity_id: newId(),
      user_id,
      attribute: tag.define_value !== null ? 'define' : tag.number_value !== null ? 'number' : 'string',
      source: 'import',
      executor_id: account.app_id,
      is_deleted: false,
      ctime: now,
      mtime: now,
      version: 1,
    })),
  )
  if (tags.length === 0) return []
  const made = new Set(await insertMissingTags(tx, corp_id, tags, users))
  return tags
    .filter(({ entity_id }) => made.has(entity_id))
    .map((tag) => ({
      record_type: 'user_tags' as const,
      record_id: tag.entity_id,
      before: null,
      after: stampOf('user_tags', tag),
    }))
}

function imported(planned: PlannedRow[]) {
  return planned.flatMap(({ outcome, along, lead, user_id }) =>
    (outcome === 'new_user' || outcome === 'known_user') && along && lead && user_id !== undefined
      ? [{ along, lead, user_id }]
      : [],
  )
}
