import { success } from '../../contract/envelope.ts'
import { ApiError } from '../../contract/errors.ts'
import { currentSchema } from '../../database/schema-store.ts'
import { jsonType } from '../respond.ts'
import type { Services } from '../services.ts'
import type { Page, Pages } from './pages.ts'

/** /healthz: the process answers. /readyz: the database is reachable and its schema is current. */
export function addHealth(pages: Pages, services: Services): void {
  pages.get('/healthz', () => jsonPage({ status: 'alive' }))

  pages.get('/readyz', async () => {
    if (services.isDraining()) throw unready('The server is stopping.')
    const schema = await currentSchema(services.db.shared)
    if (schema !== services.wantedSchema) {
      throw unready(`The database has schema ${schema}; this server works with ${services.wantedSchema}.`)
    }
    return jsonPage({ status: 'ready', schema })
  })
}

function jsonPage(data: object): Page {
  return { headers: { 'content-type': jsonType }, body: JSON.stringify(success(data)) }
}

function unready(msg: string): ApiError {
  return new ApiError('unavailable', { msg, retryAfterSeconds: 2 })
}
