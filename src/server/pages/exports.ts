import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { longest } from '../../contract/lengths.ts'
import type { Queryable } from '../../database/database.ts'
import { findFinishedByToken, findPieceOf } from '../../finance/exports/export-file-store.ts'
import type { Services } from '../services.ts'

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Files of the finance office, for whoever has their address. */
export function addExports(app: FastifyInstance, { db }: Services): void {
  app.get<{ Params: { corp_id: string; token: string } }>(
    '/exports/:corp_id/:token',
    async (request, reply) => {
      const { corp_id, token } = request.params
      const isSound = corp_id.length <= longest.id && !corp_id.includes('\0') && corp_id.isWellFormed()
      if (!isSound || !/^[A-Za-z0-9_-]{32}$/.test(token)) throw new ApiError('routeNotFound')
      const on = db.of(corp_id)
      const file = await findFinishedByToken(on, corp_id, token)
      if (!file) throw new ApiError('routeNotFound')
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

/** One at a time, as fast as they are taken. */
async function* piecesOf(on: Queryable, corp_id: string, export_id: string): AsyncGenerator<Buffer> {
  for (let seq = 0; ; seq++) {
    const piece = await findPieceOf(on, corp_id, export_id, seq)
    if (!piece) return
    yield piece
  }
}
