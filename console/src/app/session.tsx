import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { call, type DataOf } from '../calls/call.ts'
import { chooseOrganizationOfCalls } from '../calls/chosen-organization.ts'
import { queryFor } from '../calls/use-call.ts'

export type SignedIn = DataOf<'fetchSession'>
export type Organization = SignedIn['organization']
export type Permission = 'read' | 'write' | 'finance' | 'admin'

export interface Session {
  staff: SignedIn
  /** The school of the account. */
  organization: Organization
  /** Whether the role has the permission. The service enforces it as well. */
  can(permission: Permission): boolean
  signOut(everywhere: boolean): Promise<void>
}

const SessionContext = createContext<Session | undefined>(undefined)

/** The signed-in person, their school and their permissions. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('No screen without a session')
  return session
}

export const sessionQuery = { ...queryFor('fetchSession', {}), staleTime: 60_000 }

export function SessionProvider({ staff, children }: { staff: SignedIn; children: ReactNode }) {
  const queries = useQueryClient()
  const { organization } = staff
  chooseOrganizationOfCalls(organization.corp_id)

  const session = useMemo<Session>(
    () => ({
      staff,
      organization,
      can: (permission) => organization.permissions.includes(permission),
      async signOut(everywhere) {
        await call('endSession', { everywhere })
        queries.clear()
      },
    }),
    [staff, organization, queries],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}
