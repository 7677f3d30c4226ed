type Node = Record<string, unknown>

/** The document with every reference replaced by its target. */
// biome-ignore lint/suspicious/noExplicitAny: the document is read as plain JSON.
export function dereferenced(document: any): any {
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve)
    if (typeof node !== 'object' || node === null) return node
    const { $ref, ...siblings } = node as Node
    const members = Object.fromEntries(
      Object.entries(siblings).map(([name, value]) => [name, resolve(value)]),
    )
    if (typeof $ref !== 'string') return members
    const target = $ref
      .split('/')
      .slice(1)
      .reduce<Node | undefined>((found, name) => found?.[name] as Node | undefined, document)
    if (!target) throw new Error(`${$ref} points at nothing`)
    return { ...(resolve(target) as Node), ...members }
  }
  return resolve(document)
}
