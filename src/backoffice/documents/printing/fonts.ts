import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import { sfntOf } from './sfnt.ts'

export type Weight = 'regular' | 'bold'

/**
 * The fonts in their order of preference. The first one has all Chinese characters, kana and the letters of western Europe;
 * the second Latin, Cyrillic and Greek letters of all languages, and Devanagari. Korean has one weight.
 */
const files: { name: string; regular: () => string; bold: () => string }[] = [
  of(
    'chinese',
    () => import.meta.resolve('@embedpdf/fonts-sc'),
    'NotoSansHans-Regular.otf',
    'NotoSansHans-Bold.otf',
  ),
  of(
    'latin',
    () => import.meta.resolve('@embedpdf/fonts-latin'),
    'NotoSans-Regular.ttf',
    'NotoSans-Bold.ttf',
  ),
  of(
    'arabic',
    () => import.meta.resolve('@embedpdf/fonts-arabic'),
    'NotoNaskhArabic-Regular.ttf',
    'NotoNaskhArabic-Bold.ttf',
  ),
  of(
    'hebrew',
    () => import.meta.resolve('@embedpdf/fonts-hebrew'),
    'NotoSansHebrew-Regular.ttf',
    'NotoSansHebrew-Bold.ttf',
  ),
  { name: 'korean', regular: koreanFile, bold: koreanFile },
]

function of(name: string, main: () => string, regular: string, bold: string) {
  const path = (file: string) => fileURLToPath(new URL(`../fonts/${file}`, main()))
  return { name, regular: () => path(regular), bold: () => path(bold) }
}

function koreanFile(): string {
  return fileURLToPath(
    import.meta.resolve('@fontsource/gowun-dodum/files/gowun-dodum-korean-400-normal.woff'),
  )
}

export interface LoadedFont {
  /** The name by which a document registers it. */
  name: string
  content: Buffer
  /** The height above the baseline, for a size of 1. */
  ascent: number
  has(codePoint: number): boolean
}

const loaded = new Map<string, LoadedFont>()

/** Fonts are read when a text needs them: most documents need the first one only. */
function load({ name, ...paths }: (typeof files)[number], weight: Weight): LoadedFont {
  const key = `${name}-${weight}`
  const known = loaded.get(key)
  if (known) return known
  const path = paths[weight]()
  const content = path.endsWith('.woff') ? sfntOf(readFileSync(path)) : readFileSync(path)
  // None of the files is a collection of fonts.
  const font = create(content) as Font
  const made = {
    ...{ name: key, content, ascent: font.ascent / font.unitsPerEm },
    has: (codePoint: number) => font.hasGlyphForCodePoint(codePoint),
  }
  loaded.set(key, made)
  return made
}

/** Drawn for a character that no font has. */
const unknown = '?'

/** A part of a text in one font. */
export interface Run {
  text: string
  font: LoadedFont
}

/** The font of labels and amounts. */
export function mainFont(weight: Weight): LoadedFont {
  return load(files[0]!, weight)
}

/** Splits a text into runs, so that no character is drawn as a missing glyph. A word has one font where possible. */
export function runsOf(text: string, weight: Weight): Run[] {
  const runs: Run[] = []
  const add = (part: string, font: LoadedFont) => {
    const last = runs.at(-1)
    if (last?.font === font) last.text += part
    else runs.push({ text: part, font })
  }
  for (const word of text.normalize().split(/(?<=\s)|(?=\s)/)) {
    const before = runs.at(-1)?.font
    const isSpace = word === ' ' && before?.has(0x20)
    const whole = isSpace ? before : fontFor(word, weight)
    if (whole) add(word, whole)
    else
      for (const character of word) {
        const font = fontFor(character, weight)
        if (font) add(character, font)
        // Format characters, such as a zero-width joiner, have no glyph of their own.
        else if (!/\p{Cf}|\p{Mn}/u.test(character)) add(unknown, mainFont(weight))
      }
  }
  return runs
}

function fontFor(text: string, weight: Weight): LoadedFont | undefined {
  const codePoints = Array.from(text, (character) => character.codePointAt(0)!)
  for (const file of files) {
    const font = load(file, weight)
    // Line ends are no glyphs.
    if (codePoints.every((codePoint) => codePoint < 0x20 || font.has(codePoint))) return font
  }
  return undefined
}
