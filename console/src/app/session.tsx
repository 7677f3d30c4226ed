import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { call, type DataOf } from '../calls/call.ts'
import { chooseOrganizationOfCalls } from '../calls/chosen-organization.ts'
import { queryFor } from '../calls/use-call.ts'
import { kept } from './kept.ts'

export type SignedIn = DataOf<'fetchSession'>
export type Organization = SignedIn['organizations'][number]
export type Permission = 'read' | 'write' | 'finance' | 'admin'

export interface Session {
  staff: SignedIn
  /** The one that the screens are about. */
  organization: Organization
  chooseOrganization(corp_id: string): void
  /** Whether the role of the person permits it in this organization. What it does not, the service refuses as well. */
  can(permission: Permission): boolean
  signOut(everywhere: boolean): Promise<void>
}

const SessionContext = createContext<Session | undefined>(undefined)

/** Who is signed in, where, and what they may do there. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('No screen without a session')
  return session
}

export const sessionQuery = { ...queryFor('fetchSession', {}), staleTime: 60_000 }

const keptOrganization = kept('organization')

export function SessionProvider({ staff, children }: { staff: SignedIn; children: ReactNode }) {
  const queries = useQueryClient()
  const [corpId, setCorpId] = useState(keptOrganization.read)
  const organization = staff.organizations.find(({ corp_id }) => corp_id === corpId) ?? staff.organizations[0]
  if (organization) chooseOrganizationOfCalls(organization.corp_id)

  const session = useMemo<Session | undefined>(
    () =>
      organization && {
        staff,
        organization,
        can: (permission) => organization.permissions.includes(permission),
        chooseOrganization(corp_id) {
          keptOrganization.write(corp_id)
          chooseOrganizationOfCalls(corp_id)
          setCorpId(corp_id)
        },
        async signOut(everywhere) {
          await call('endSession', { everywhere })
          queries.clear()
        },
      },
    [staff, organization, queries],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}
