import { open } from 'node:fs/promises'
import { FileRefused, type Format, formats } from './row-source.ts'

const endings: Record<string, Format> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  // Many systems write text under this name.
  xls: 'csv',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
}

/** The format of a file: by its first bytes if they tell, as given, or by its name. */
export async function formatOf(file: string, given?: Format): Promise<Format> {
  const head = await headOf(file)
  if (head.subarray(0, 8).equals(compoundFile)) throw await oldWorkbook(file)
  if (/^\s*BEGIN:VCARD/i.test(head.toString('latin1').replace(/^ï»¿/, '')))
    throw new FileRefused(
      'The file has contact cards (vCard), not a table. Open them in Google Contacts or Outlook and export them as CSV.',
      undefined,
      'contact_cards',
    )
  if (isWebPage(head))
    throw new FileRefused(`The file is a web page or XML, not a table. ${oneStep}`, undefined, 'web_page')
  const format = given ?? endings[/\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '']
  if (format !== 'ndjson' && head.subarray(0, 4).equals(zipFile)) return 'xlsx'
  if (format) return format
  throw new FileRefused('The format of the file cannot be recognised by its name.', {
    option: 'format',
    values: formats,
  })
}

const oneStep = 'Open it in Excel or WPS and save it as .xlsx or CSV.'

const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const zipFile = Buffer.from('PK\x03\x04', 'latin1')
const headBytes = 1024

async function headOf(file: string): Promise<Buffer> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  return buffer.subarray(0, bytesRead)
}

/** Workbooks of Excel 97–2003 are compound files. So are workbooks with a password. */
async function oldWorkbook(file: string): Promise<FileRefused> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(searchedBytes), 0, searchedBytes, 0)
  const isEncrypted = buffer.subarray(0, bytesRead).includes(Buffer.from('EncryptedPackage', 'utf16le'))
  if (isEncrypted)
    return new FileRefused(
      'The workbook has a password. Open it, remove the password and save it again.',
      undefined,
      'encrypted_workbook',
    )
  return new FileRefused(
    `The file is a workbook of Excel 97–2003 (.xls). ${oneStep}`,
    undefined,
    'old_workbook',
  )
}

const searchedBytes = 8 * 1_048_576

/** Systems export HTML tables, or XML of Excel 2003, under the name .xls. */
function isWebPage(head: Buffer): boolean {
  const isUtf16 = head[0] === 0xff && head[1] === 0xfe
  const text = head.toString(isUtf16 ? 'utf16le' : 'latin1').replace(/^(?:\ufeff|ï»¿)/, '')
  return /^\s*<(?:!doctype|html|head|meta|style|table|body|\?xml|!--|\?mso|xml)/i.test(text)
}
