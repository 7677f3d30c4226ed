import type { OrganizationContext } from '../../contract/endpoint.ts'
import '../../access/staff/console-context.ts'

/** How a caller sees contacts. A search must tell no more than that. */
export type ContactView = 'whole' | 'masked'

/** Staff see contacts masked in every answer, also those of their own people; programs see them whole. */
export function contactViewOf({ role }: Pick<OrganizationContext, 'role'>): ContactView {
  return role === undefined ? 'whole' : 'masked'
}
