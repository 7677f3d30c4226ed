import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { clientAddress, type TrustProxy } from '../../access/client-address.ts'
import { findFinishedByToken, findPieceOf } from '../../backoffice/finance/exports/export-file-store.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Origin } from '../../contract/origin.ts'
import type { Queryable } from '../../database/database.ts'
import { requestIdOf } from '../request-id.ts'
import type { Services } from '../services.ts'
import { cookieOf, isFromOurPage } from '../session-cookie.ts'
import { isSecretAddress } from './secret-address.ts'

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

interface ExportOptions {
  trustProxy: TrustProxy
  publicUrl: URL | undefined
}

/** Files of the finance office, for whoever has their address; who takes one is noted before it is sent. */
export function addExports(app: FastifyInstance, services: Services, options: ExportOptions): void {
  const { db } = services
  app.get<{ Params: { corp_id: string; token: string } }>(
    '/exports/:corp_id/:token',
    async (request, reply) => {
      const { corp_id, token } = request.params
      if (!isSecretAddress(request.params)) throw new ApiError('routeNotFound')
      const on = db.of(corp_id)
      const file = await findFinishedByToken(on, corp_id, token)
      if (!file) throw new ApiError('routeNotFound')
      const noted = { action: 'exported', record_type: 'finance_exports', record_id: file.export_id } as const
      const origin = await originOf(services, request.raw, corp_id, options)
      await db.of(corp_id, origin).transaction(async (tx) => tx.note(noted))
      const name = `${file.what}-${file.as_of.slice(0, 10)}.${file.format}`
      return reply
        .header('Content-Disposition', `attachment; filename="${name}"`)
        .header('Content-Length', file.bytes)
        .header('Cache-Control', 'no-store')
        .header('X-Robots-Tag', 'noindex')
        .type(types[file.format])
        .send(Readable.from(piecesOf(on, corp_id, file.export_id)))
    },
  )
}

/**
 * The colleague who is signed in. The address alone opens the file, so a link on another site works, but it puts no
 * colleague's name into the audit.
 */
async function originOf(
  { auth, now }: Services,
  request: IncomingMessage,
  corp_id: string,
  { trustProxy, publicUrl }: ExportOptions,
): Promise<Origin> {
  const session = isFromOurPage(request) === false ? undefined : cookieOf(request, 'session', publicUrl)
  const staff = session && (await auth.sessions.find(session, now()).catch(() => undefined))
  const isColleague = staff && staff.session.corp_id === corp_id
  return {
    ...(isColleague
      ? { actor_kind: 'staff', actor_id: staff.app_id }
      : { actor_kind: 'account', actor_id: '' }),
    address: clientAddress(request, trustProxy),
    operation: 'downloadExport',
    request_id: requestIdOf(request),
  }
}

/** One at a time, as fast as they are taken. */
async function* piecesOf(on: Queryable, corp_id: string, export_id: string): AsyncGenerator<Buffer> {
  for (let seq = 0; ; seq++) {
    const piece = await findPieceOf(on, corp_id, export_id, seq)
    if (!piece) return
    yield piece
  }
}
