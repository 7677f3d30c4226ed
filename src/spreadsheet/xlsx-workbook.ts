import type { Readable } from 'node:stream'
import { SaxesParser } from 'saxes'
import yauzl from 'yauzl'
import { showsDate } from './excel-dates.ts'
import { FileRefused } from './row-source.ts'
import { SpooledStrings } from './spooled-strings.ts'

/** A workbook as far as its rows need it; the sheet itself is read by whoever asks for it. */
export interface Workbook {
  countsFrom1904: boolean
  /** By the number of a cell's style: whether it shows a date. */
  dateStyles: boolean[]
  strings: SpooledStrings
  sheetBytes: number
  openSheet(): Promise<Readable>
  close(): Promise<void>
}

/** What a part may unpack to: enough for a sheet of a million rows, and an end to files made to fill a disk. */
const largestPart = 4 * 2 ** 30
const largestSmallPart = 64 * 2 ** 20

export async function openWorkbook(file: string, sheetName?: string): Promise<Workbook> {
  const zip = await yauzl.openPromise(file, { autoClose: false, lazyEntries: true }).catch(() => {
    throw new FileRefused('The file is not an XLSX workbook.')
  })
  const strings = await SpooledStrings.make()
  const close = async () => {
    zip.close()
    await strings.close()
  }
  try {
    const entries = new Map<string, yauzl.Entry>()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry)
    const partOf = (name: string, limit = largestSmallPart) => {
      const entry = entries.get(name.toLowerCase())
      if (entry && entry.uncompressedSize > limit)
        throw new FileRefused(`The part ${name} of the workbook is too large.`)
      return entry
    }
    const open = (entry: yauzl.Entry) => zip.openReadStreamPromise(entry)
    const workbookPart = partOf('xl/workbook.xml')
    if (!workbookPart) throw new FileRefused('The file is not an XLSX workbook.')
    const { sheets, countsFrom1904 } = await readWorkbook(await open(workbookPart))
    const rels = partOf('xl/_rels/workbook.xml.rels')
    const targets = rels ? await readTargets(await open(rels)) : new Map<string, string>()
    const styles = partOf('xl/styles.xml')
    const dateStyles = styles ? await readDateStyles(await open(styles)) : []
    const shared = partOf('xl/sharedStrings.xml', largestPart)
    if (shared) await readStrings(await open(shared), strings)
    const sheet = chooseSheet(sheets, sheetName)
    const sheetPart = partOf(pathOf(targets.get(sheet.relation) ?? ''), largestPart)
    if (!sheetPart) throw new FileRefused(`The sheet ${sheet.name} has no rows in the file.`)
    return {
      countsFrom1904,
      dateStyles,
      strings,
      sheetBytes: sheetPart.uncompressedSize,
      openSheet: () => open(sheetPart),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface Sheet {
  name: string
  relation: string
}

function chooseSheet(sheets: Sheet[], name: string | undefined): Sheet {
  const found = name === undefined ? sheets[0] : sheets.find((sheet) => sheet.name === name)
  if (found) return found
  if (sheets.length === 0) throw new FileRefused('The workbook has no sheet.')
  throw new FileRefused(
    `The workbook has no sheet ${name}; it has ${sheets.map((sheet) => sheet.name).join(', ')}.`,
  )
}

function pathOf(target: string): string {
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

interface XmlEvents {
  open?(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  text?(text: string): void
  /** After each piece of the file. */
  pause?(): Promise<void> | undefined
}

/** Reads XML piece by piece; names come without their prefix. */
async function readXml(stream: Readable, events: XmlEvents): Promise<void> {
  for await (const _ of xmlPieces(stream, events)) await events.pause?.()
}

/** The same for a reader who takes something after each piece: how many bytes have been read. */
export async function* xmlPieces(stream: Readable, events: XmlEvents): AsyncGenerator<number> {
  const parser = new SaxesParser({ fragment: false })
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  parser.on('opentag', ({ name, attributes }) =>
    events.open?.(local(name), attributes as Record<string, string>),
  )
  parser.on('closetag', ({ name }) => events.close?.(local(name)))
  parser.on('text', (text) => events.text?.(text))
  parser.on('cdata', (text) => events.text?.(text))
  let failure: Error | undefined
  parser.on('error', (error) => {
    failure ??= error
  })
  const decoder = new TextDecoder()
  let bytes = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      parser.write(decoder.decode(chunk, { stream: true }))
      if (failure) break
      bytes += chunk.length
      yield bytes
    }
    if (!failure) parser.close()
  } finally {
    stream.destroy()
  }
  if (failure) throw new FileRefused('The workbook is damaged: a part of it is not well-formed XML.')
}

async function readWorkbook(stream: Readable): Promise<{ sheets: Sheet[]; countsFrom1904: boolean }> {
  const sheets: Sheet[] = []
  let countsFrom1904 = false
  await readXml(stream, {
    open(name, attributes) {
      if (name === 'workbookPr') countsFrom1904 = ['1', 'true', 'on'].includes(attributes.date1904 ?? '')
      const relation = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      if (name === 'sheet' && relation !== undefined) sheets.push({ name: attributes.name ?? '', relation })
    },
  })
  return { sheets, countsFrom1904 }
}

async function readTargets(stream: Readable): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  await readXml(stream, {
    open(name, { Id, Target }) {
      if (name === 'Relationship' && Id !== undefined && Target !== undefined) targets.set(Id, Target)
    },
  })
  return targets
}

async function readDateStyles(stream: Readable): Promise<boolean[]> {
  const codes = new Map<number, string>()
  const styles: number[] = []
  let inCellFormats = false
  await readXml(stream, {
    open(name, { numFmtId, formatCode }) {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode ?? '')
      if (name === 'cellXfs') inCellFormats = true
      if (name === 'xf' && inCellFormats) styles.push(Number(numFmtId ?? 0))
    },
    close(name) {
      if (name === 'cellXfs') inCellFormats = false
    },
  })
  return styles.map((id) => showsDate(id, codes.get(id)))
}

/** The texts that cells share; how a word is spoken (rPh) is no part of it. */
async function readStrings(stream: Readable, strings: SpooledStrings): Promise<void> {
  let text = ''
  let [inText, inPhonetic] = [false, false]
  await readXml(stream, {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') inPhonetic = true
      if (name === 't') inText = !inPhonetic
    },
    text(piece) {
      if (inText) text += piece
    },
    close(name) {
      if (name === 't') inText = false
      if (name === 'rPh') inPhonetic = false
      if (name === 'si') strings.add(text)
    },
    pause: () => strings.flush(1_048_576),
  })
  await strings.flush()
}
