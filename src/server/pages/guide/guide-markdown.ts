import { escapeHtml } from '../../../contract/escape-html.ts'

/** A block of code. Its name is the last word behind the opening fence, after the language and marks. */
interface CodeBlock {
  language: string
  /** `refused`: the service refuses the call. */
  marks: string[]
  name: string
  code: string
}

const fenced = /^```(\S*) ?(.*)\n([\s\S]*?)^```$/gm

export function codeBlocksOf(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(fenced)].map(([, language = '', words = '', code = '']) => {
    const marks = words.split(' ')
    return { language, name: marks.pop()!, marks, code }
  })
}

/** The text with each `{{name}}` replaced by that block of the other text. Translations share the code. */
export function withCode(markdown: string, original: string): string {
  const blocks = new Map(
    [...original.matchAll(fenced)].map(([block, , words = '']) => [words.split(' ').at(-1), block]),
  )
  return markdown.replaceAll(/^\{\{(.+)\}\}$/gm, (_, name) => {
    const block = blocks.get(name)
    if (block === undefined) throw new Error(`There is no block of code ${name}`)
    return block
  })
}

export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? ''
}

/** The Markdown of the guide as HTML: headings, paragraphs, lists, tables, code, and links. */
export function htmlOf(markdown: string, addressOf: (link: string) => string): string {
  const inline = (text: string) =>
    escapeHtml(text)
      .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
      .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_, label, link) => `<a href="${addressOf(link)}">${label}</a>`)
  const blocks: string[] = []
  const code = markdown.replaceAll(fenced, (_, language, words, text) => {
    const name = words.split(' ').at(-1)
    const caption = name.includes('.') ? `<figcaption><code>${escapeHtml(name)}</code></figcaption>` : ''
    blocks.push(
      `<figure>${caption}<pre data-language="${escapeHtml(language)}"><code>${escapeHtml(text)}</code></pre></figure>`,
    )
    return `\u0000${blocks.length - 1}`
  })
  return code
    .split(/\n{2,}/)
    .map((part) => blockOf(part.trim(), inline, blocks))
    .join('\n')
}

function blockOf(part: string, inline: (text: string) => string, blocks: string[]): string {
  const lines = part.split('\n')
  if (part.startsWith('\u0000')) return blocks[Number(part.slice(1))]!
  const [, marks, heading] = /^(#{1,3}) (.+)$/.exec(part) ?? []
  if (marks) return `<h${marks.length}>${inline(heading!)}</h${marks.length}>`
  if (part.startsWith('|')) return tableOf(lines.map(cellsOf), inline)
  if (/^(-|\d+\.) /.test(part)) {
    const tag = part.startsWith('-') ? 'ul' : 'ol'
    const items = part.split(/\n(?=(?:-|\d+\.) )/).map((item) => item.replace(/^(-|\d+\.) /, ''))
    return `<${tag}>${items.map((item) => `<li>${inline(joined(item))}</li>`).join('')}</${tag}>`
  }
  return part === '' ? '' : `<p>${inline(joined(part))}</p>`
}

/** Lines of a paragraph. Chinese has no space between them. */
function joined(text: string): string {
  return text.replaceAll(/([\u3000-\u9fff\uff00-\uffef])\n\s*/g, '$1').replaceAll(/\n\s*/g, ' ')
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

function tableOf([head = [], , ...rows]: string[][], inline: (text: string) => string): string {
  const cells = (row: string[], tag: string) => row.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
  return `<table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table>`
}
