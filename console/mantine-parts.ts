import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/**
 * Imports each component of Mantine from its own file, with its own styles. Through `@mantine/core` every component that any
 * screen uses would belong to the first page, and its style sheet has the components that no screen uses.
 */
export function mantineParts(): Plugin {
  const files = new Map(['@mantine/core', '@mantine/hooks'].map((name) => [name, filesOf(name)]))
  return {
    name: 'mantine-parts',
    apply: 'build',
    transform(code, id) {
      const component = /\/@mantine\/core\/esm\/.+\/(\w+)\.module\.mjs$/.exec(id)?.[1]
      if (component) return `import '@mantine/core/styles/${component}.layer.css'\n${code}`
      if (!/["']@mantine\/(core|hooks)["']/.test(code) || !/\.(tsx?|mjs)$/.test(id)) return undefined
      let changed = code
      for (const { type, source, specifiers, start, end } of this.parse(code).body.toReversed() as Node[]) {
        const homes = type === 'ImportDeclaration' ? files.get(source!.value) : undefined
        if (!homes) continue
        const imports = specifiers!.map(({ imported, local }) => {
          const home = homes.get(imported!.name) ?? source!.value
          return `import { ${imported!.name} as ${local.name} } from ${JSON.stringify(home)};`
        })
        changed = changed.slice(0, start) + imports.join('') + changed.slice(end)
      }
      return changed === code ? undefined : { code: changed, map: null }
    },
  }
}

interface Node {
  type: string
  start: number
  end: number
  source?: { value: string }
  specifiers?: { imported?: { name: string }; local: { name: string } }[]
}

/** The file of each export of a package, read from its index: `import { Button } from "./components/Button/Button.mjs";`. */
function filesOf(name: string): Map<string, string> {
  const index = fileURLToPath(import.meta.resolve(name))
  const files = new Map<string, string>()
  for (const [, names, file] of readFileSync(index, 'utf8').matchAll(/^import \{(.+)\} from "(.+)";$/gm))
    for (const each of names!.split(',')) files.set(each.trim(), file!.replace(/^\.\//, join(index, '../')))
  return files
}
