import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { call, chooseOrganizationOfCalls, type DataOf, queryFor } from '../calls/call.ts'

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

/** The query of an address. All values are texts. */
export type Search = Record<string, string | undefined>

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: object): string {
  const sent = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(sent.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

/** Runs work that takes several calls, and keeps its error. */
export function useAttempt() {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const attempt = useCallback(async <T,>(work: () => Promise<T>): Promise<T | undefined> => {
    setRunning(true)
    setError(undefined)
    try {
      return await work()
    } catch (failure) {
      setError(failure)
      return undefined
    } finally {
      setRunning(false)
    }
  }, [])
  return { attempt, isRunning, error, forgetError: useCallback(() => setError(undefined), []) }
}
