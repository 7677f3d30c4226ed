import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readLine } from '../../access/audit/published-head.ts'
import { PublishedHeads } from '../../access/audit/published-heads.ts'

/**
 * Reads heads from files and folders: files of heads and logs of the server, folders of such files, backups and folders
 * of backups. A file or folder that is not there is an error.
 */
export async function readPublishedHeads(
  places: string[],
  /** Only heads that were published up to this instant. */
  until?: string,
): Promise<PublishedHeads> {
  const published = new PublishedHeads()
  for (const place of places)
    for (const file of await filesOf(place))
      for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
        const head = readLine(line)
        if (head && (until === undefined || head.at <= until)) published.add(place, head)
      }
  return published
}

async function filesOf(place: string): Promise<string[]> {
  const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${place} cannot be read (${error.code}). Name a file or folder of published heads.`)
  })
  if (!found.isDirectory()) return [place]
  const entries = await readdir(place, { withFileTypes: true })
  const inside = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map(({ name }) => headFilesIn(join(place, name))),
  )
  return [...(await headFilesIn(place)), ...inside.flat()]
}

async function headFilesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson')).sort()
  return names.map((name) => join(folder, name))
}
