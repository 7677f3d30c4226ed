import { editDistance, forgiven } from './header-words.ts'

/** The rules for guessing the columns of unknown headers. */
export interface GuessRules<Name extends string> {
  /** Columns that need their exact names: an id of another system must not become an id of this one. */
  ids: ReadonlySet<Name>
  /** The column of a second header with the meaning of the first, such as a second phone. */
  second: Partial<Record<Name, Name>>
  /** Columns that several headers may have. */
  repeats: ReadonlySet<Name>
  /** Whether the values contradict a header that is known by an alias. */
  isDoubtful(name: Name, header: string, values: string[]): boolean
  /** Whether the values can be those of a column; undefined if they do not tell. */
  fits(name: Name, values: string[]): boolean | undefined
  /** The column that values reveal without a header that is known. */
  byValues(values: string[], header: string): Name | undefined
}

export interface Guess<Name extends string> {
  at: number
  name: Name
  confidence: number
}

/** Confidence in percent by evidence. Values that fit add to it; values that do not fit exclude the column. */
const certainty = { second: 80, exactWords: 80, similar: 60, values: 70 }
const bonusOfValues = 15

/** Guesses the columns of open headers, by their names and values. Each column is given once, the best guess first. */
export function guessColumns<Name extends string>(
  rules: GuessRules<Name>,
  nameOf: Map<string, Name>,
  headers: string[],
  samples: string[][],
  { names, open }: { names: (Name | undefined)[]; open: number[] },
): Guess<Name>[] {
  const taken = new Set(names.filter((name) => name !== undefined))
  const candidates = open
    .filter((at) => names[at] === undefined)
    .flatMap((at) =>
      candidatesOf(rules, nameOf, headers[at]!, samples[at] ?? []).map((each) => ({ ...each, at })),
    )
    .sort((a, b) => b.confidence - a.confidence || a.at - b.at)
  const guesses = new Map<number, Guess<Name>>()
  for (const { at, name, confidence } of candidates) {
    if (guesses.has(at)) continue
    const second = rules.second[name]
    const free = !taken.has(name) ? name : second && !taken.has(second) ? second : undefined
    if (free === undefined) continue
    taken.add(free)
    guesses.set(at, {
      at,
      name: free,
      confidence: free === name ? confidence : Math.min(confidence, certainty.second),
    })
  }
  return [...guesses.values()].sort((a, b) => a.at - b.at)
}

function candidatesOf<Name extends string>(
  rules: GuessRules<Name>,
  nameOf: Map<string, Name>,
  header: string,
  values: string[],
): { name: Name; confidence: number }[] {
  const found: { name: Name; confidence: number }[] = []
  const add = (name: Name | undefined, certainty: number) => {
    if (name === undefined) return
    const fits = rules.fits(name, values)
    if (fits !== false) found.push({ name, confidence: certainty + (fits ? bonusOfValues : 0) })
  }
  // A header that is known, but whose column is taken or whose values contradict it.
  const known = nameOf.get(forgiven(header))
  if (known !== undefined && !rules.ids.has(known)) add(known, certainty.exactWords)
  if (!isAboutId(header)) {
    const words = nameOf.get(forgiven(withoutFillers(header)))
    const similar = words ?? similarName(rules, nameOf, forgiven(header))
    if (similar !== undefined && !rules.ids.has(similar))
      add(similar, words === undefined ? certainty.similar : certainty.exactWords)
  }
  const revealed = rules.byValues(values, header)
  if (revealed !== undefined) found.push({ name: revealed, confidence: certainty.values })
  return found
}

/** Words around the word that matters: "您的手机号（必填）", "What is your e-mail address?". */
const fillers =
  /\b(what(?:'s| is)|your|the|please|enter|provide|primary|main|preferred|current|customer|student|client|lead|contact|required|optional|my)\b|您的|你的|请输入|请填写|请留下|填写|客户的?|学员的?|学生的?|家长的?|本人|必填|选填|主要|的$/gi

function withoutFillers(header: string): string {
  return header.normalize('NFKC').replace(numbering, '').replaceAll('_', ' ').replaceAll(fillers, ' ')
}

/** Forms number their questions: "1、您的姓名", "Q3. …". CRMs name the record: "Person - Name". */
const numbering = /^\s*(?:q?[0-9]{1,3}\s*[、.．:：)）-]\s*|(?:person|contact|lead|deal|organization)\s+-\s+)/i

function isAboutId(header: string): boolean {
  return /(^|[\s_-])ids?$|(?<=[a-z])ID$|编号$|(^|[^a-z])id$/i.test(header.trim())
}

function similarName<Name extends string>(
  rules: GuessRules<Name>,
  nameOf: Map<string, Name>,
  written: string,
): Name | undefined {
  // One letter of a short word makes another word: order is not owner.
  let best = {
    distance: Math.min(3, Math.floor(written.length / 4)) + 1,
    name: undefined as Name | undefined,
  }
  if (written.length < 4) return undefined
  for (const [alias, name] of nameOf) {
    if (rules.ids.has(name) || alias.length < 4 || Math.abs(alias.length - written.length) >= best.distance)
      continue
    const distance = editDistance(alias, written)
    if (distance < best.distance) best = { distance, name }
  }
  return best.name
}
