import type { ConsoleAccess } from '../../access/staff/console-context.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Database } from '../../database/database.ts'
import type { Call } from '../call.ts'
import { cookieOf, setCookie, siteOf } from '../session-cookie.ts'
import { type OriginOptions, originOf } from './origin.ts'

interface EntranceOptions extends OriginOptions {
  publicUrl: URL | undefined
}

/** The address of the client, and cookies and database handles for operations that sign people in and out. */
export function entranceOf(
  endpoint: Endpoint,
  call: Call,
  db: Database,
  options: EntranceOptions,
): { address: string; access: ConsoleAccess } {
  const { request, headers } = call
  const { publicUrl } = options
  const origin = originOf(endpoint, call, options)
  const access: ConsoleAccess = {
    of(scope, staff_id) {
      return db.forStrangers(
        scope,
        staff_id ? { ...origin, actor_kind: 'staff', actor_id: staff_id } : origin,
      )
    },
    keepSession: (token) => headers.push('set-cookie', setCookie(request, 'session', token, publicUrl)),
    site: () => siteOf(request, publicUrl),
    ticket: cookieOf(request, 'ticket', publicUrl),
    keepTicket: (ticket) => headers.push('set-cookie', setCookie(request, 'ticket', ticket, publicUrl)),
  }
  return { address: origin.address, access }
}
