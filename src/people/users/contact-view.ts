import type { OrganizationContext } from '../../contract/endpoint.ts'
import '../../access/staff/console-context.ts'

/** How a caller sees contacts. A search must not disclose more. */
export type ContactView = 'whole' | 'masked'

/** Staff see masked contacts in every response, also for their own people. Programs see whole contacts. */
export function contactViewOf({ role }: Pick<OrganizationContext, 'role'>): ContactView {
  return role === undefined ? 'whole' : 'masked'
}
