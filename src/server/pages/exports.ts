import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { clientAddress, type TrustProxy } from '../../access/client-address.ts'
import { findFinishedByToken, findPieceOf } from '../../backoffice/finance/exports/export-file-store.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Origin } from '../../contract/origin.ts'
import type { Queryable } from '../../database/database.ts'
import { requestIdOf } from '../request-id.ts'
import type { Services } from '../services.ts'
import { cookieOf, isFromOurPage } from '../session-cookie.ts'
import type { Pages } from './pages.ts'
import { isSecretAddress } from './secret-address.ts'

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

interface ExportOptions {
  trustProxy: TrustProxy
  publicUrl: URL | undefined
}

/** Files of the finance office at secret addresses. The audit notes a download before it begins. */
export function addExports(pages: Pages, services: Services, options: ExportOptions): void {
  const { db } = services
  pages.get('/exports/:corp_id/:token', async ({ corp_id = '', token = '' }, request) => {
    if (!isSecretAddress({ corp_id, token })) throw new ApiError('routeNotFound')
    const on = db.of(corp_id)
    const file = await findFinishedByToken(on, corp_id, token)
    if (!file) throw new ApiError('routeNotFound')
    const noted = { action: 'exported', record_type: 'finance_exports', record_id: file.export_id } as const
    const origin = await originOf(services, request, corp_id, options)
    await db.of(corp_id, origin).transaction(async (tx) => tx.note(noted))
    const name = `${file.what}-${file.as_of.slice(0, 10)}.${file.format}`
    return {
      headers: {
        'content-type': types[file.format],
        'content-disposition': `attachment; filename="${name}"`,
        'content-length': file.bytes,
        'x-robots-tag': 'noindex',
      },
      body: Readable.from(piecesOf(on, corp_id, file.export_id)),
    }
  })
}

/**
 * The member of staff who is signed in. The address alone opens the file, so a link on another site works; such a
 * download has no name in the audit.
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

/** Reads one piece at a time, at the speed of the reader. */
async function* piecesOf(on: Queryable, corp_id: string, export_id: string): AsyncGenerator<Buffer> {
  for (let seq = 0; ; seq++) {
    const piece = await findPieceOf(on, corp_id, export_id, seq)
    if (!piece) return
    yield piece
  }
}
