import type { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { showsDate } from './excel-dates.ts'
import { longestRow } from './limits.ts'
import { FileRefused } from './row-source.ts'
import { SpooledStrings } from './spooled-strings.ts'
import { readXml, xmlPieces } from './xml-pieces.ts'

/** The parts of a workbook that its rows need. A sheet is opened on demand. */
export interface Workbook {
  countsFrom1904: boolean
  /** By the number of a cell style: whether it shows a date. */
  dateStyles: boolean[]
  strings: SpooledStrings
  sheets: Sheet[]
  close(): Promise<void>
}

export interface Sheet {
  name: string
  isHidden: boolean
  bytes: number
  open(): Promise<Readable>
}

/** Enough for a sheet of a million rows. Stops files that would fill the disk or take hours. */
const largestBook = 4 * 2 ** 30
const largestPart = 2 * 2 ** 30
const largestSmallPart = 16 * 2 ** 20
const mostEntries = 10_000
const mostStrings = 16_777_216
/** Real sheets shrink to a tenth or a thirtieth of their size. */
const mostUnpacking = 200

/** Maximum number of sheets, relations or formats of a workbook. Real workbooks have fewer. */
const mostListed = 65_536

export async function openWorkbook(file: string): Promise<Workbook> {
  const zip = await openZip(file)
  const strings = await SpooledStrings.make()
  const close = async () => {
    zip.close()
    await strings.close()
  }
  try {
    const entries = await entriesOf(zip)
    const partOf = (name: string, limit = largestSmallPart) => {
      const entry = entries.get(name.toLowerCase())
      if (entry) refuseLargePart(entry, limit)
      return entry
    }
    const open = (entry: yauzl.Entry) => openPart(zip, entry)
    const workbookPart = partOf('xl/workbook.xml')
    if (!workbookPart) throw notAWorkbook()
    const { listed, countsFrom1904 } = await readWorkbook(await open(workbookPart))
    const rels = partOf('xl/_rels/workbook.xml.rels')
    const targets = rels ? await readTargets(await open(rels)) : new Map<string, string>()
    const styles = partOf('xl/styles.xml')
    const dateStyles = styles ? await readDateStyles(await open(styles)) : []
    const sheets = listed.map(({ name, isHidden, relation }): Sheet => {
      const path = pathOf(targets.get(relation) ?? '')
      return {
        name,
        isHidden,
        bytes: entries.get(path.toLowerCase())?.uncompressedSize ?? 0,
        async open() {
          const part = partOf(path, largestPart)
          if (!part) throw new FileRefused(`The sheet ${name} has no rows in the file.`, { option: 'sheet' })
          return open(part)
        },
      }
    })
    const shared = partOf('xl/sharedStrings.xml', largestPart)
    if (shared) await readStrings(await open(shared), strings)
    return { countsFrom1904, dateStyles, strings, sheets, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** All texts of a workbook: of all sheets, of comments, and of hidden parts. */
export async function* workbookTexts(file: string): AsyncGenerator<string> {
  const zip = await openZip(file)
  try {
    for (const [name, entry] of await entriesOf(zip)) {
      if (!name.endsWith('.xml')) continue
      refuseLargePart(entry, largestPart)
      const texts: string[] = []
      let text = ''
      const flush = () => {
        if (text !== '') texts.push(text)
        text = ''
      }
      const reader = {
        text(piece: string) {
          text += piece
          if (text.length > longestRow) flush()
        },
        close(tag: string) {
          if (tag === 'c') text = text.replace(/^[0-9.]+E\+?[0-9]+$/i, (number) => String(Number(number)))
          if (!partsOfText.has(tag)) flush()
        },
      }
      for await (const _ of xmlPieces(await openPart(zip, entry), reader)) yield* texts.splice(0)
      flush()
      yield* texts
    }
  } finally {
    zip.close()
  }
}

/** One text may be split over several of these. */
const partsOfText = new Set(['t', 'r', 'rPr', 'rPh', 'is', 'v', 'f'])

async function openZip(file: string): Promise<yauzl.ZipFile> {
  return yauzl.openPromise(file, { autoClose: false, lazyEntries: true }).catch(() => {
    throw notAWorkbook()
  })
}

function notAWorkbook(): FileRefused {
  return new FileRefused(
    'The file is not an XLSX workbook. Open it and save it as .xlsx or CSV.',
    undefined,
    'not_a_workbook',
  )
}

async function openPart(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Readable> {
  return zip.openReadStreamPromise(entry).catch(() => {
    throw new FileRefused('The workbook is damaged or encrypted: a part of it cannot be unpacked.')
  })
}

/** The declared sizes hold: yauzl refuses a part that unpacks to more. */
async function entriesOf(zip: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  if (zip.entryCount > mostEntries) throw new FileRefused(`The workbook has more than ${mostEntries} parts.`)
  const entries = new Map<string, yauzl.Entry>()
  let bytes = 0
  try {
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName.toLowerCase(), entry)
      bytes += entry.uncompressedSize
    }
  } catch {
    throw new FileRefused('The workbook is damaged: its parts cannot be listed.')
  }
  if (bytes > largestBook) throw new FileRefused('The workbook is too large: it unpacks to more than 4 GB.')
  return entries
}

function refuseLargePart({ fileName, uncompressedSize, compressedSize }: yauzl.Entry, limit: number): void {
  if (uncompressedSize > limit) throw new FileRefused(`The part ${fileName} of the workbook is too large.`)
  if (uncompressedSize > largestSmallPart && uncompressedSize > mostUnpacking * compressedSize)
    throw new FileRefused(
      `The part ${fileName} of the workbook unpacks to more than ${mostUnpacking} times its size.`,
    )
}

interface ListedSheet {
  name: string
  isHidden: boolean
  relation: string
}

function pathOf(target: string): string {
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

function refuseMany(count: number, what: string): void {
  if (count > mostListed) throw new FileRefused(`The workbook has more than ${mostListed} ${what}.`)
}

async function readWorkbook(stream: Readable): Promise<{ listed: ListedSheet[]; countsFrom1904: boolean }> {
  const listed: ListedSheet[] = []
  let countsFrom1904 = false
  await readXml(stream, {
    open(name, attributes) {
      if (name === 'workbookPr') countsFrom1904 = ['1', 'true', 'on'].includes(attributes.date1904 ?? '')
      const relation = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      const { name: title = '', state = 'visible' } = attributes
      if (name === 'sheet' && relation !== undefined)
        listed.push({ name: title, isHidden: state !== 'visible', relation })
      refuseMany(listed.length, 'sheets')
    },
  })
  return { listed, countsFrom1904 }
}

async function readTargets(stream: Readable): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  await readXml(stream, {
    open(name, { Id, Target }) {
      if (name === 'Relationship' && Id !== undefined && Target !== undefined) targets.set(Id, Target)
      refuseMany(targets.size, 'relations')
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
      refuseMany(codes.size + styles.length, 'formats')
    },
    close(name) {
      if (name === 'cellXfs') inCellFormats = false
    },
  })
  return styles.map((id) => showsDate(id, codes.get(id)))
}

/** The shared texts of cells, without phonetic hints (rPh). */
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
      if (text.length > longestRow)
        throw new FileRefused(`The workbook has a text of more than ${longestRow} characters.`)
    },
    close(name) {
      if (name === 't') inText = false
      if (name === 'rPh') inPhonetic = false
      if (name !== 'si') return
      strings.add(text)
      if (strings.count > mostStrings)
        throw new FileRefused(`The workbook has more than ${mostStrings} shared texts.`)
    },
    pause: () => strings.flush(1_048_576),
  })
  await strings.flush()
}
