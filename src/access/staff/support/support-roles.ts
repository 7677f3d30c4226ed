/**
 * The roles that a school can lend. An administrator could give access that outlasts the grant, so that role is not among
 * them.
 */
export const supportRoles = ['viewer', 'counsellor', 'finance'] as const
export type SupportRole = (typeof supportRoles)[number]
