import type { Endpoint } from './contract/endpoint.ts'
import { importLead } from './leads/import-lead.ts'
import { fetchOrder } from './orders/fetch-order.ts'
import { listFinancialRows } from './orders/list-financial-rows.ts'
import { listOrders } from './orders/list-orders.ts'
import { activateTagGroup } from './tag-groups/activate-tag-group.ts'
import { createTagGroup } from './tag-groups/create-tag-group.ts'
import { deactivateTagGroup } from './tag-groups/deactivate-tag-group.ts'
import { listTagGroups } from './tag-groups/list-tag-groups.ts'
import { updateTagGroup } from './tag-groups/update-tag-group.ts'
import { issueToken } from './tokens/issue-token.ts'
import { verifyToken } from './tokens/verify-token.ts'
import { assignUserTag } from './user-tags/assign-user-tag.ts'
import { listUserTags } from './user-tags/list-user-tags.ts'
import { createUser } from './users/create-user.ts'
import { fetchContact } from './users/fetch-contact.ts'
import { fetchProfile } from './users/fetch-profile.ts'
import { updateEmail } from './users/update-email.ts'
import { updateOwner } from './users/update-owner.ts'
import { updatePool } from './users/update-pool.ts'

/** The catalogue: the operations of the interface in its own order. Routes, validation, documentation and tests read it. */
export const endpoints: Endpoint[] = [
  issueToken,
  verifyToken,
  createTagGroup,
  listTagGroups,
  updateTagGroup,
  deactivateTagGroup,
  activateTagGroup,
  assignUserTag,
  listUserTags,
  createUser,
  fetchProfile,
  updateOwner,
  updatePool,
  updateEmail,
  fetchContact,
  fetchOrder,
  listOrders,
  listFinancialRows,
  importLead,
]
