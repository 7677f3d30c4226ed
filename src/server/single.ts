import type { Logger } from 'pino'
import { listen } from './listen.ts'
import { createServerMemory } from './server-memory.ts'
import { createServingProcess, type Parts, type Served, type ServerSettings } from './serving-process.ts'

/** Serves in this process. */
export async function serveAlone(
  parts: Omit<Parts, 'memory'>,
  settings: ServerSettings,
  log: Logger,
): Promise<Served> {
  const { http, end } = await createServingProcess({ ...parts, memory: createServerMemory() }, settings, log)
  try {
    const baseUrl = await listen(http.server, settings)
    log.info({ url: baseUrl }, 'listening')
    return { baseUrl, end }
  } catch (error) {
    await end()
    throw error
  }
}
