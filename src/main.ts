import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { announce } from './announce.ts'
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
export async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  const fatal = Promise.withResolvers<never>()
  const installation = await openInstallation(config, 'serve', {
    onFatal: fatal.reject,
    log: (message) => log.warn(message),
  })
  try {
    if (installation.notice) log.warn(installation.notice)
    const db = openDatabase(installation.app)
    try {
      await Promise.race([serveFrom(installation, db, config, log), fatal.promise])
    } finally {
      await db.close()
    }
  } finally {
    await installation.stop()
  }
}

async function serveFrom(installation: Installation, db: Database, config: Config, log: Logger): Promise<void> {
  const stopping = stopSignal()
  const { wanted } = await migrate(installation.owner, (name) => log.info({ migration: name }, 'migrated'))
  const isFirstStart = installation.isEmbedded && (await loadSampleOnFirstStart(installation, config.dataDir))

  const services = {
    db,
    authority: createAuthority(db, installation.keyring),
    now: () => new Date(),
    newId,
    wantedSchema: wanted,
    isDraining: () => stopping.signal.aborted,
  }
  const app = await buildApp(services, { log, ...config })
  const baseUrl = await listen(app, config)
  const sample = installation.isEmbedded ? await publishSample(config.dataDir, baseUrl) : undefined
  announce({ baseUrl, sample, isFirstStart, dataDir: installation.isEmbedded ? config.dataDir : undefined })

  const signal = await stopping.asked
  log.info({ signal }, 'stopping: finishing what is under way')
  await drain(app, config.drainTimeoutMs, log)
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new Error(`Port ${port} on ${host} is already in use: set PORT to another one.`)
    if (code === 'EACCES') throw new Error(`Port ${port} on ${host} may not be opened by this user: set PORT to another one.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new Error(`HOST ${host} is not an address of this machine.`)
    throw error
  }
  const { port: actual } = app.server.address() as { port: number }
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${actual}`
}

/** Ctrl-C and SIGTERM ask the server to stop. */
function stopSignal(): { signal: AbortSignal; asked: Promise<string> } {
  const controller = new AbortController()
  const { promise: asked, resolve } = Promise.withResolvers<string>()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      controller.abort()
      resolve(name)
    })
  }
  return { signal: controller.signal, asked }
}

/** Lets requests under way finish, for a bounded time. */
async function drain(app: FastifyInstance, timeoutMs: number, log: Logger): Promise<void> {
  const timer = setTimeout(() => {
    log.warn('requests under way did not finish in time')
    app.server.closeAllConnections()
  }, timeoutMs)
  await app.close()
  clearTimeout(timer)
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
