import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/** Opens the port and returns the address; what is in the way is one sentence. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new Error(`Port ${port} on ${host} is already in use: set PORT to another one.`)
    if (code === 'EACCES')
      throw new Error(`Port ${port} on ${host} may not be opened by this user: set PORT to another one.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Error(`HOST ${host} is not an address of this machine.`)
    throw error
  }
  const { port: actual } = app.server.address() as { port: number }
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${actual}`
}

/** Lets requests under way finish, for a bounded time, and not at all once `insisted`. */
export async function drain(
  app: FastifyInstance,
  insisted: Promise<void>,
  timeoutMs: number,
  log: Logger,
): Promise<void> {
  const cutOff = (reason: string) => {
    log.warn(reason)
    app.server.closeAllConnections()
  }
  const timer = setTimeout(() => cutOff('requests under way did not finish in time'), timeoutMs)
  // A connection that its client keeps alive after its last answer must not keep the server.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  const closed = app.close()
  insisted.then(() => cutOff('told to stop at once: requests under way are cut off'))
  await closed
  clearTimeout(timer)
  clearInterval(sweep)
}
