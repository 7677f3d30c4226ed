/** Ignores case, spaces, underscores and punctuation. */
export function forgiven(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_\-./:#*()?!,"'[\]【】、。,·]/g, '')
}

/** The number of characters to add, remove or replace to turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(replaced, previous[j]! + 1, current[j - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}
