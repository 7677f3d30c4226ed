/** Numbers that are part of a signature: their text must not be lost in a double. */
const exactNumbers = ['time_stamp']

/** Keeping the text of numbers takes sixty times as long, so long bodies are only parsed. */
const longestExact = 16_384

/** Parses JSON. The numbers above stay text. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || text.length > longestExact) return value
  const members = value as Record<string, unknown>
  const names = exactNumbers.filter((name) => Object.hasOwn(value, name) && typeof members[name] === 'number')
  if (names.length === 0) return value
  const written = JSON.parse(text, asWritten) as Record<string, unknown>
  for (const name of names) members[name] = written[name]
  return value
}

function asWritten(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? value) : value
}
