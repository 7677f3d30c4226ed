import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Announcement, announce } from './announce.ts'
import { type Config, readConfig } from './config.ts'
import { newId } from './contract/new-id.ts'
import { type Installation, openInstallation } from './database/connect.ts'
import { type Database, openDatabase } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { buildApp } from './http/app.ts'
import { createLog } from './http/log.ts'
import { loadSampleOnFirstStart, publishSample } from './sample/first-start.ts'
import { createAuthority } from './tokens/authority.ts'

/** The composition root: configuration → database → server. Resolves once the server has been told to stop, and has. */
export async function serve(
  config: Config,
  tell: (announcement: Announcement) => void = announce,
): Promise<void> {
  const log = createLog(config.logLevel)
  const stopping = listenForStop()
  try {
    await serveUntil({ stopping, tell }, config, log)
  } catch (error) {
    // Being told to stop while starting is no failure.
    if (error !== stopping.signal.reason) throw error
  } finally {
    stopping.forget()
  }
}

/** Who is told that the server is up, and what ends it. */
interface Life {
  tell(announcement: Announcement): void
  stopping: Stopping
}

async function serveUntil(life: Life, config: Config, log: Logger): Promise<void> {
  const fatal = Promise.withResolvers<never>()
  // It may come at a moment at which nobody waits for it.
  fatal.promise.catch(() => undefined)
  const installation = await openInstallation(config, 'serve', {
    onFatal: fatal.reject,
    log: (message) => log.warn(message),
    signal: life.stopping.signal,
  })
  try {
    if (installation.notice) log.warn(installation.notice)
    const db = openDatabase(installation.app)
    try {
      await serveFrom(installation, db, { ...life, fatal: fatal.promise }, config, log)
    } finally {
      await db.close()
    }
  } finally {
    await installation.stop()
  }
}

async function serveFrom(
  installation: Installation,
  db: Database,
  { stopping, tell, fatal }: Life & { fatal: Promise<never> },
  config: Config,
  log: Logger,
): Promise<void> {
  stopping.signal.throwIfAborted()
  const { wanted } = await migrate(installation.owner, (name) => log.info({ migration: name }, 'migrated'))
  stopping.signal.throwIfAborted()
  const isFirstStart =
    installation.isEmbedded && (await loadSampleOnFirstStart(installation, config.dataDir, stopping.signal))

  const services = {
    db,
    authority: createAuthority(db, installation.keyring),
    now: () => new Date(),
    newId,
    wantedSchema: wanted,
    isDraining: () => stopping.signal.aborted,
  }
  const app = await buildApp(services, { log, ...config })
  try {
    const baseUrl = await listen(app, config)
    const sample = installation.isEmbedded ? await publishSample(config.dataDir, baseUrl) : undefined
    tell({
      baseUrl,
      sample,
      isFirstStart,
      dataDir: installation.isEmbedded ? config.dataDir : undefined,
    })
    const signal = await Promise.race([stopping.asked, fatal])
    log.info({ signal }, 'stopping: finishing what is under way')
  } finally {
    await drain(app, stopping, config.drainTimeoutMs, log)
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
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

interface Stopping {
  /** Aborted from the moment the server is asked to stop. */
  signal: AbortSignal
  /** The name of the signal that asked. */
  asked: Promise<string>
  /** Asked a second time: somebody does not want to wait. */
  insisted: Promise<void>
  forget(): void
}

/** Ctrl-C, SIGTERM and a closed terminal ask the server to stop, while it starts as well. */
function listenForStop(): Stopping {
  const controller = new AbortController()
  const asked = Promise.withResolvers<string>()
  const insisted = Promise.withResolvers<void>()
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const stop = (name: string) => {
    if (controller.signal.aborted) insisted.resolve()
    controller.abort(new Error('The server was told to stop.'))
    asked.resolve(name)
  }
  for (const name of names) process.on(name, stop)
  const forget = () => {
    for (const name of names) process.off(name, stop)
  }
  return { signal: controller.signal, asked: asked.promise, insisted: insisted.promise, forget }
}

/** Lets requests under way finish, for a bounded time. */
async function drain(
  app: FastifyInstance,
  { insisted }: Stopping,
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

if (import.meta.main) {
  try {
    await serve(readConfig(process.env))
  } catch (error) {
    // One clear sentence, not a stack: whoever starts the service is to mend something, not to read code.
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
