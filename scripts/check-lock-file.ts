// Every package in package-lock.json has the hash that npm compares with what it downloads, and no address of a registry.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface LockedPackage {
  integrity?: string
  resolved?: string
  link?: boolean
}

const lockFile = join(import.meta.dirname, '..', 'package-lock.json')
const { packages } = JSON.parse(await readFile(lockFile, 'utf8')) as {
  packages: Record<string, LockedPackage>
}
// npm downloads what is in node_modules, except for links to workspaces. The root and the workspaces are this repository.
const downloaded = Object.entries(packages).filter(
  ([path, { link }]) => /(^|\/)node_modules\//.test(path) && !link,
)
const faults = downloaded.flatMap(([path, { integrity, resolved }]) => [
  ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') ? [] : [`${path} has no integrity (sha512).`]),
  ...(resolved === undefined ? [] : [`${path} names an address (resolved).`]),
])
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n${faults.length} faults in package-lock.json.\n`)
  process.exitCode = 1
}
