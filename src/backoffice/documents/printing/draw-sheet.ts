import PDFDocument from 'pdfkit'
import type { Sheet } from './compose-sheet.ts'
import type { Weight } from './fonts.ts'
import { createWriter, type Writer } from './writer.ts'

const margin = 56
const ink = '#111'
const faint = '#666'
const rule = '#999'
const danger = '#b00020'
const logoBox: [number, number] = [150, 54]

/** Draws a sheet as a PDF of A4 pages. */
export async function drawSheet(sheet: Sheet, logo: Uint8Array | undefined): Promise<Uint8Array> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    lang: sheet.language,
    displayTitle: true,
    info: { Title: `${sheet.title} ${sheet.number}`, Author: sheet.issuer.name },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => pdf.on('end', resolve))
  const pen = { pdf, writer: createWriter(pdf) }
  drawHeader(pen, sheet, logo)
  drawFields(pen, sheet.fields)
  drawTable(pen, sheet)
  for (const section of sheet.sections) drawSection(pen, section)
  numberPages(pen)
  pdf.end()
  await ended
  return new Uint8Array(Buffer.concat(chunks))
}

type Pdf = InstanceType<typeof PDFDocument>

interface Pen {
  pdf: Pdf
  writer: Writer
}

function widthOf(pdf: Pdf): number {
  return pdf.page.width - 2 * margin
}

function drawHeader(
  { pdf, writer }: Pen,
  { issuer, title, number, mark }: Sheet,
  logo: Uint8Array | undefined,
): void {
  if (issuer.color !== '') pdf.rect(0, 0, pdf.page.width, 8).fill(issuer.color)
  const top = pdf.y
  const width = widthOf(pdf)
  const align = logo ? 'right' : 'left'
  if (logo) pdf.image(Buffer.from(logo), margin, top, { fit: logoBox })
  writer.style({ weight: 'bold', size: 12, color: ink })
  writer.write(issuer.name, margin, top, { width, align })
  writer.style({ weight: 'regular', size: 9, color: faint })
  for (const line of issuer.lines) writer.write(line, margin, pdf.y, { width, align })
  pdf.y = Math.max(pdf.y, logo ? top + logoBox[1] : 0) + 22
  const titleTop = pdf.y
  writer.style({ weight: 'bold', size: 22, color: issuer.color || ink })
  writer.write(title, margin, titleTop, { width })
  const below = pdf.y
  if (mark !== '') {
    writer.style({ weight: 'bold', size: 16, color: danger })
    writer.write(mark, margin, titleTop + 6, { width, align: 'right' })
  }
  writer.style({ weight: 'regular', size: 11, color: ink })
  writer.write(number, margin, below + 2, { width })
  pdf.y += 14
}

const labelWidth = 150

function drawFields(pen: Pen, fields: Sheet['fields']): void {
  for (const [label, text] of fields) drawPair(pen, label, text, 'left')
  pen.pdf.y += 12
}

/** A label and its text beside it. A page break comes before a pair, not within it. */
function drawPair({ pdf, writer }: Pen, label: string, text: string, align: 'left' | 'right'): void {
  const textWidth = widthOf(pdf) - labelWidth
  const isAmount = align === 'right'
  const width = isAmount ? { label: textWidth, text: labelWidth } : { label: labelWidth - 8, text: textWidth }
  const inked = { weight: 'regular', size: 10 } as const
  writer.style({ ...inked, color: faint })
  const height = Math.max(
    writer.heightOf(label, width.label),
    isAmount ? 0 : writer.heightOf(text, width.text),
  )
  breakBefore(pdf, height)
  const { y } = pdf
  writer.write(label, margin, y, { width: width.label })
  writer.style({ ...inked, color: ink })
  writer.write(text, margin + (isAmount ? textWidth : labelWidth), y, { width: width.text, align })
  pdf.x = margin
  pdf.y = y + height + 4
}

function breakBefore(pdf: Pdf, height: number): void {
  if (pdf.y + height > pdf.page.height - margin - 20) pdf.addPage()
}

function drawTable(pen: Pen, { lineHeads, lines, sums }: Sheet): void {
  drawRow(pen, lineHeads, 'bold')
  drawRule(pen.pdf)
  for (const line of lines) drawRow(pen, line, 'regular')
  drawRule(pen.pdf)
  for (const [index, sum] of sums.entries())
    drawRow(pen, sum, index === 0 || index === sums.length - 1 ? 'bold' : 'regular')
  pen.pdf.y += 14
}

const amountWidth = 150

function drawRow({ pdf, writer }: Pen, [text, amount]: [string, string], weight: Weight): void {
  writer.style({ weight, size: 10, color: ink })
  const width = widthOf(pdf) - amountWidth - 12
  const height = writer.heightOf(text, width)
  breakBefore(pdf, height)
  const { y } = pdf
  writer.write(text, margin, y, { width })
  const right = pdf.page.width - margin - amountWidth
  writer.write(amount, right, y, { width: amountWidth, align: 'right' })
  pdf.x = margin
  pdf.y = y + height + 5
}

function drawRule(pdf: Pdf): void {
  pdf
    .moveTo(margin, pdf.y)
    .lineTo(pdf.page.width - margin, pdf.y)
    .lineWidth(0.5)
    .strokeColor(rule)
    .stroke()
  pdf.y += 6
}

function drawSection(pen: Pen, { title, rows, areAmounts }: Sheet['sections'][number]): void {
  const { pdf, writer } = pen
  breakBefore(pdf, 40)
  writer.style({ weight: 'bold', size: 10, color: ink })
  writer.write(title, margin, pdf.y, { width: widthOf(pdf) })
  pdf.y += 4
  for (const [label, text] of rows) drawPair(pen, label, text, areAmounts ? 'right' : 'left')
  pdf.y += 10
}

function numberPages({ pdf, writer }: Pen): void {
  const { start, count } = pdf.bufferedPageRange()
  writer.style({ weight: 'regular', size: 8, color: faint })
  for (let index = start; index < start + count; index++) {
    pdf.switchToPage(index)
    // Below the margin, text would start a new page.
    pdf.page.margins.bottom = 0
    const place = { width: widthOf(pdf), align: 'right' } as const
    writer.write(`${index + 1} / ${count}`, margin, pdf.page.height - 36, place)
  }
}
