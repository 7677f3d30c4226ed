import type { FastifyInstance } from 'fastify'

/** An answer, as logs and metrics tell of it. */
export interface Answered {
  request_id: string
  /** The operation's id, or the route of a page. */
  operation: string | undefined
  route: string | undefined
  method: string
  status: number
  /** 0 is success. */
  code: number
  app_id: string | undefined
  ms: number
}

export type NoteAnswer = (answered: Answered) => void

/** Notes every answer that the server gives by itself. */
export function noteAnswers(app: FastifyInstance, note: NoteAnswer): void {
  app.addHook('onResponse', (request, reply, done) => {
    note({
      request_id: request.id,
      operation: request.routeOptions.config.operation,
      route: request.routeOptions.url,
      method: request.method,
      status: reply.statusCode,
      code: request.failureCode,
      app_id: request.account?.app_id,
      ms: reply.elapsedTime,
    })
    done()
  })
}
