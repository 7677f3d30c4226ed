import type { FastifyInstance } from 'fastify'
import { success } from '../../contract/envelope.ts'
import { ApiError } from '../../contract/errors.ts'
import { currentSchema } from '../../database/schema-store.ts'
import type { Services } from '../services.ts'

/** /healthz: the process answers. /readyz: it can do its work: the database is reachable and its schema current. */
export function addHealth(app: FastifyInstance, services: Services): void {
  app.get('/healthz', async () => success({ status: 'alive' }))

  app.get('/readyz', async () => {
    if (services.isDraining()) throw unready('The server is stopping.')
    const schema = await currentSchema(services.db.shared)
    if (schema !== services.wantedSchema) {
      throw unready(`The database has schema ${schema}; this server works with ${services.wantedSchema}.`)
    }
    return success({ status: 'ready', schema })
  })
}

function unready(msg: string): ApiError {
  return new ApiError('unavailable', { msg, retryAfterSeconds: 2 })
}
