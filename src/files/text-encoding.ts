import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { FileRefused } from './row-source.ts'

/**
 * The encoding of a text file: as given, by its byte order mark, or detected. Text that is not UTF-8 counts as GB
 * 18030, which includes GBK and GB 2312, if it decodes without faults. Where the sender may be a European bank, text
 * with single letters beyond ASCII counts as Windows-1252: most pairs such as "üll" are valid in GB 18030 as well.
 */
export async function encodingOf(file: string, given?: string, mayBeWestern = false): Promise<string> {
  if (given !== undefined) return known(given)
  const head = await firstBytes(file, 4)
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (head.subarray(0, 4).includes(0)) {
    throw new FileRefused('The file looks like UTF-16 without a byte order mark.', {
      option: 'encoding',
      values: ['utf-16le', 'utf-16be'],
    })
  }
  if (await decodes(file, 'utf-8')) return 'utf-8'
  if (mayBeWestern && (await isWestern(file))) return 'windows-1252'
  if (await decodes(file, 'gb18030')) return 'gb18030'
  throw new FileRefused(
    'The encoding of the file is neither UTF-8 nor UTF-16 nor GB 18030.',
    { option: 'encoding' },
    'encoding',
  )
}

function known(label: string): string {
  try {
    const { encoding } = new TextDecoder(label)
    return encoding === 'gbk' ? 'gb18030' : encoding
  } catch {
    throw new FileRefused(
      `The encoding ${label} is not known. Known encodings are, for example, utf-8, utf-16le and gb18030.`,
      {
        option: 'encoding',
      },
    )
  }
}

async function firstBytes(file: string, count: number): Promise<Buffer> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, 0)
  return buffer.subarray(0, bytesRead)
}

async function decodes(file: string, encoding: string): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of createReadStream(file)) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Bytes that Windows-1252 does not define. */
const notWestern = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/**
 * Whether most bytes beyond ASCII stand alone, as accented letters between ASCII letters do. A Chinese character is two bytes,
 * and nearly all second bytes are beyond ASCII too.
 */
async function isWestern(file: string): Promise<boolean> {
  let [run, single, several] = [0, 0, 0]
  const end = () => {
    if (run === 1) single++
    else if (run > 1) several++
    run = 0
  }
  for await (const chunk of createReadStream(file))
    for (const byte of chunk as Buffer) {
      if (notWestern.has(byte)) return false
      if (byte >= 0x80) run++
      else end()
    }
  end()
  return single > several
}

/** The text of a file in pieces, without its byte order mark. */
export async function* textOf(
  file: string,
  encoding: string,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let bytes = 0
  // Decoders remove the marks of UTF-8 and UTF-16, but not that of GB 18030.
  let mark = encoding === 'gb18030' ? '\ufeff' : ''
  try {
    for await (const chunk of createReadStream(file)) {
      const decoded = decoder.decode(chunk, { stream: true })
      bytes += chunk.length
      onProgress?.(bytes)
      if (decoded === '') continue
      const text = decoded.startsWith(mark) ? decoded.slice(mark.length) : decoded
      mark = ''
      if (text) yield text
    }
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new FileRefused(`The text of the file is not ${encoding} (after byte ${bytes}).`)
  }
}
