/** The least contrast of white text on the colour of a school: WCAG 2.2, level AA. */
const leastContrast = 4.5

/** The reason why a text is no colour of a school. An empty one removes the colour. */
export function colorFault(color: string): string | undefined {
  if (color === '') return undefined
  if (!/^#[0-9a-f]{6}$/i.test(color)) return 'must be a colour such as #0a3f8f'
  return contrastWithWhite(color) < leastContrast
    ? 'must be darker, so that white text on it is readable'
    : undefined
}

function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}
