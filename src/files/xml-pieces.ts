import type { Readable } from 'node:stream'
import { SaxesParser } from 'saxes'
import { FileRefused } from './row-source.ts'

export interface XmlEvents {
  open?(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  text?(text: string): void
  /** Called after each piece of the file. */
  pause?(): Promise<void> | undefined
}

/** The parser buffers open tags, and each tag or text until its end: both need a limit. */
const deepest = 64
const longestPiece = 1_048_576

/** Reads XML as a stream. Names have no prefix. */
export async function readXml(stream: Readable, events: XmlEvents): Promise<void> {
  for await (const _ of xmlPieces(stream, events)) await events.pause?.()
}

/** The same as a generator, which yields the number of bytes after each piece. */
export async function* xmlPieces(stream: Readable, events: XmlEvents): AsyncGenerator<number> {
  const parser = boundedParser(events)
  const decoder = new TextDecoder()
  let bytes = 0
  try {
    for await (const chunk of unpacked(stream)) {
      parser.write(decoder.decode(chunk, { stream: true }))
      bytes += chunk.length
      yield bytes
    }
    parser.close()
  } finally {
    stream.destroy()
  }
}

async function* unpacked(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>
  } catch {
    throw new FileRefused('The workbook is damaged: a part of it cannot be unpacked.')
  }
}

/** A parser with limits. `subject` starts its messages. */
export function boundedParser(
  events: XmlEvents,
  subject = 'The workbook',
): { write(text: string): void; close(): void; line(): number } {
  const parser = new SaxesParser({ fragment: false })
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  let depth = 0
  let silent = 0
  parser.on('opentag', ({ name, attributes }) => {
    silent = 0
    if (++depth > deepest) throw new FileRefused(`${subject} nests its parts more than ${deepest} deep.`)
    events.open?.(local(name), attributes as Record<string, string>)
  })
  parser.on('closetag', ({ name }) => {
    silent = 0
    depth--
    events.close?.(local(name))
  })
  const onText = (text: string) => {
    silent = 0
    events.text?.(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('doctype', () => {
    throw new FileRefused(`${subject} declares a document type, which no such file does.`)
  })
  parser.on('error', () => {
    throw new FileRefused(`${subject} is damaged: a part of it is not well-formed XML.`)
  })
  return {
    write(text) {
      silent += text.length
      parser.write(text)
      if (silent > longestPiece)
        throw new FileRefused(`${subject} has a tag or a text of more than ${longestPiece} characters.`)
    },
    close: () => void parser.close(),
    line: () => parser.line,
  }
}
