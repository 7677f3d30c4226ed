type Pinyin = typeof import('pinyin-pro')['pinyin']

let pinyin: Pinyin | undefined

/** Loads the readings of Chinese characters. Lazily: most processes of a command never need them. */
export async function loadReadings(): Promise<void> {
  if (!pinyin) ({ pinyin } = await import('pinyin-pro'))
}

/** Long texts are no names. */
const maxCharacters = 8
/** A name of several characters with several readings each. */
const maxForms = 12

/**
 * The readings of a Chinese name, each a list of syllables without tones: 曾乐 is ceng le, zeng le, ceng yue … The usual
 * reading of a family name comes first. Empty for a text that is too long for a name.
 */
export function readingsOf(name: string): string[][] {
  const known = cache.get(name)
  if (known) return known
  const characters = Array.from(name)
  let forms: string[][] = characters.length > maxCharacters ? [] : [[]]
  for (const [index, character] of characters.entries()) {
    const syllables = syllablesOf(character, index === 0)
    forms = syllables.flatMap((syllable) => forms.map((form) => [...form, syllable])).slice(0, maxForms)
  }
  const whole = forms.filter((form) => form.length > 0)
  if (cache.size >= maxCached) cache.clear()
  cache.set(name, whole)
  return whole
}

const cache = new Map<string, string[][]>()
const maxCached = 5000

const readings = new Map<string, string[]>()

/** The readings of a character, the most likely one first. Empty for a rare character without a known reading. */
function syllablesOf(character: string, isFirst: boolean): string[] {
  const key = isFirst ? `^${character}` : character
  const known = readings.get(key)
  if (known) return known
  if (!pinyin) throw new Error('The readings are not loaded: await loadReadings() first.')
  const options = { toneType: 'none', type: 'array' } as const
  const found = [
    ...(isFirst ? pinyin(character, { ...options, mode: 'surname' }) : []),
    ...pinyin(character, { ...options, multiple: true }),
  ]
  const syllables = [...new Set(found.flatMap(typed))].filter((syllable) => /^[a-z]+$/.test(syllable))
  readings.set(key, syllables)
  return syllables
}

/** As people type a reading: the ü of lü is typed v or u, and yu in passports. */
function typed(syllable: string): string[] {
  const plain = syllable.normalize('NFC')
  return plain.includes('ü') ? ['v', 'u', 'yu'].map((letter) => plain.replace('ü', letter)) : [plain]
}
