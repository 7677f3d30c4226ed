import { open } from 'node:fs/promises'
import { join } from 'node:path'

export interface SocketFolder {
  /** The `host` for pg; valid only in this process and until close(). */
  host: string
  close(): Promise<void>
}

export const SOCKET_PORT = 5432

const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103

/** Gives clients a path to PostgreSQL's socket that is short enough for the operating system. */
export async function openSocketFolder(dir: string): Promise<SocketFolder> {
  if (Buffer.byteLength(join(dir, `.s.PGSQL.${SOCKET_PORT}`)) <= MAX_SOCKET_PATH_BYTES) {
    return { host: dir, close: async () => undefined }
  }
  if (process.platform !== 'linux') {
    throw new Error(
      `The path ${dir} is too long for a database socket; name a data folder with a shorter path.`,
    )
  }
  const handle = await open(dir, 'r')
  return { host: `/proc/self/fd/${handle.fd}`, close: () => handle.close() }
}
