import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeHtml } from '../../../contract/escape-html.ts'
import type { Language } from '../page-language.ts'
import { htmlOf, titleOf, withCode } from './guide-markdown.ts'

/** The chapters of the guide for integrators. Their file names begin with their number. */
const guideFolder = join(import.meta.dirname, '../../../../docs/guide')

interface Chapter {
  /** The name in the address, such as first-call. */
  name: string
  /** The text in Markdown. */
  text: Record<Language, string>
}

export async function readChapters(): Promise<Chapter[]> {
  const files = (await readdir(guideFolder)).filter((file) => /^\d\d-[a-z-]+\.md$/.test(file)).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const en = await readFile(join(guideFolder, file), 'utf8')
      const zh = await readFile(join(guideFolder, file.replace(/md$/, 'zh.md')), 'utf8')
      return { name: file.slice('00-'.length, -'.md'.length), text: { en, zh: withCode(zh, en) } }
    }),
  )
}

const words = {
  en: {
    title: 'Guide for integrators',
    about: 'Ten short chapters. Their examples use the sample school, and a test of this service runs them.',
    contents: 'Chapters',
    other: '中文',
  },
  zh: {
    title: '集成指南',
    about: '共十个短章。示例使用示例学校的数据，并由本服务的测试逐一运行。',
    contents: '章节',
    other: 'English',
  },
} satisfies Record<Language, object>

interface GuidePage {
  title: string
  main: string
}

/** The page of a chapter; the contents without a name. Undefined if there is no such chapter. */
export function guidePage(chapters: Chapter[], language: Language, name?: string): GuidePage | undefined {
  const at = chapters.findIndex((chapter) => chapter.name === name)
  if (name !== undefined && at < 0) return undefined
  const { title, about, contents, other } = words[language]
  const text = chapters[at]?.text[language]
  const address = (chapter: string, target: Language = language) =>
    `/docs/guide${chapter && `/${chapter}`}?language=${target}`
  const linkTo = (link: string) => {
    const [, chapter] = /^\d\d-(.+?)(?:\.zh)?\.md$/.exec(link) ?? []
    return escapeHtml(chapter === undefined ? link : address(chapter))
  }
  const list = chapters.map((chapter) => {
    const isHere = chapter.name === name
    const label = escapeHtml(titleOf(chapter.text[language]))
    return `<li><a href="${address(chapter.name)}"${isHere ? ' aria-current="page"' : ''}>${label}</a></li>`
  })
  const next = text === undefined ? chapters[0] : chapters[at + 1]
  const otherLanguage = language === 'en' ? 'zh' : 'en'
  return {
    title: text === undefined ? title : titleOf(text),
    main: `<div class="guide">
    <nav class="guide-contents" aria-label="${contents}">
      <p><a href="${address('')}">${title}</a></p>
      <ol>${list.join('')}</ol>
      <p><a href="${address(name ?? '', otherLanguage)}" lang="${otherLanguage}" hreflang="${otherLanguage}">${other}</a></p>
    </nav>
    <article class="chapter">
      ${text === undefined ? `<h1>${title}</h1><p>${about}</p>` : htmlOf(text, linkTo)}
      ${next ? `<p class="next"><a href="${address(next.name)}">${escapeHtml(titleOf(next.text[language]))} →</a></p>` : ''}
    </article>
  </div>`,
  }
}
