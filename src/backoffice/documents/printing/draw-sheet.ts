import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import type { Sheet } from './compose-sheet.ts'

/** Noto Sans with all Chinese characters, rare ones in names included. Only the glyphs in use are embedded. */
const fonts = fileURLToPath(new URL('../fonts', import.meta.resolve('@embedpdf/fonts-sc')))
const font = { regular: 'regular', bold: 'bold' }
let files: { regular: Buffer; bold: Buffer } | undefined

const margin = 56
const ink = '#111'
const faint = '#666'
const rule = '#999'
const danger = '#b00020'
const logoBox: [number, number] = [150, 54]

/** Draws a sheet as a PDF of A4 pages. */
export async function drawSheet(sheet: Sheet, logo: Uint8Array | undefined): Promise<Uint8Array> {
  files ??= {
    regular: readFileSync(join(fonts, 'NotoSansHans-Regular.otf')),
    bold: readFileSync(join(fonts, 'NotoSansHans-Bold.otf')),
  }
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
  pdf.registerFont(font.regular, files.regular)
  pdf.registerFont(font.bold, files.bold)
  drawHeader(pdf, sheet, logo)
  drawFields(pdf, sheet.fields)
  drawTable(pdf, sheet)
  for (const section of sheet.sections) drawSection(pdf, section)
  numberPages(pdf)
  pdf.end()
  await ended
  return new Uint8Array(Buffer.concat(chunks))
}

type Pdf = InstanceType<typeof PDFDocument>

function widthOf(pdf: Pdf): number {
  return pdf.page.width - 2 * margin
}

function drawHeader(pdf: Pdf, { issuer, title, number, mark }: Sheet, logo: Uint8Array | undefined): void {
  const top = pdf.y
  const right = { width: widthOf(pdf), align: 'right' } as const
  if (logo) pdf.image(Buffer.from(logo), margin, top, { fit: logoBox })
  pdf
    .font(font.bold)
    .fontSize(12)
    .fillColor(ink)
    .text(issuer.name, margin, top, logo ? right : {})
  pdf.font(font.regular).fontSize(9).fillColor(faint)
  for (const line of issuer.lines) pdf.text(line, logo ? right : {})
  pdf.y = Math.max(pdf.y, logo ? top + logoBox[1] : 0) + 22
  const titleTop = pdf.y
  pdf.font(font.bold).fontSize(22).fillColor(ink).text(title, margin, titleTop)
  const below = pdf.y
  if (mark !== '')
    pdf
      .font(font.bold)
      .fontSize(16)
      .fillColor(danger)
      .text(mark, margin, titleTop + 6, right)
  pdf
    .font(font.regular)
    .fontSize(11)
    .fillColor(ink)
    .text(number, margin, below + 2)
  pdf.y += 14
}

const labelWidth = 150

function drawFields(pdf: Pdf, fields: Sheet['fields']): void {
  pdf.fontSize(10)
  for (const [label, text] of fields) drawPair(pdf, label, text, 'left')
  pdf.y += 12
}

/** A label and its text beside it. A page break comes before a pair, not within it. */
function drawPair(pdf: Pdf, label: string, text: string, align: 'left' | 'right'): void {
  const textWidth = widthOf(pdf) - labelWidth
  pdf.font(font.regular).fontSize(10)
  const isAmount = align === 'right'
  const height = isAmount
    ? pdf.heightOfString(label, { width: widthOf(pdf) - labelWidth })
    : Math.max(
        pdf.heightOfString(label, { width: labelWidth - 8 }),
        pdf.heightOfString(text, { width: textWidth }),
      )
  breakBefore(pdf, height)
  const { y } = pdf
  pdf.fillColor(faint).text(label, margin, y, { width: isAmount ? textWidth : labelWidth - 8 })
  const left = isAmount ? margin + textWidth : margin + labelWidth
  pdf.fillColor(ink).text(text, left, y, { width: isAmount ? labelWidth : textWidth, align })
  pdf.x = margin
  pdf.y = y + height + 4
}

function breakBefore(pdf: Pdf, height: number): void {
  if (pdf.y + height > pdf.page.height - margin - 20) pdf.addPage()
}

function drawTable(pdf: Pdf, { lineHeads, lines, sums }: Sheet): void {
  drawRow(pdf, lineHeads, font.bold)
  drawRule(pdf)
  for (const line of lines) drawRow(pdf, line, font.regular)
  drawRule(pdf)
  for (const [index, sum] of sums.entries())
    drawRow(pdf, sum, index === 0 || index === sums.length - 1 ? font.bold : font.regular)
  pdf.y += 14
}

const amountWidth = 150

function drawRow(pdf: Pdf, [text, amount]: [string, string], fontName: string): void {
  pdf.font(fontName).fontSize(10).fillColor(ink)
  const width = widthOf(pdf) - amountWidth - 12
  const height = pdf.heightOfString(text, { width })
  breakBefore(pdf, height)
  const { y } = pdf
  pdf.text(text, margin, y, { width })
  pdf.text(amount, pdf.page.width - margin - amountWidth, y, { width: amountWidth, align: 'right' })
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

function drawSection(pdf: Pdf, { title, rows, areAmounts }: Sheet['sections'][number]): void {
  breakBefore(pdf, 40)
  pdf.font(font.bold).fontSize(10).fillColor(ink).text(title, margin, pdf.y)
  pdf.y += 4
  for (const [label, text] of rows) drawPair(pdf, label, text, areAmounts ? 'right' : 'left')
  pdf.y += 10
}

function numberPages(pdf: Pdf): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let index = start; index < start + count; index++) {
    pdf.switchToPage(index)
    // Below the margin, text would start a new page.
    pdf.page.margins.bottom = 0
    pdf.font(font.regular).fontSize(8).fillColor(faint)
    pdf.text(`${index + 1} / ${count}`, margin, pdf.page.height - 36, { width: widthOf(pdf), align: 'right' })
  }
}
