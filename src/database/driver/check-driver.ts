import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { missingParts } from './private-parts.ts'

interface Driver {
  /** Versions that `package.json` of Matricula pins. */
  pinned: Record<string, string>
  installed: Record<string, string>
  missing: string[]
}

/** Refuses to work with a version of the driver whose private parts nobody has checked. */
export function checkDriver(): void {
  const { dependencies: pinned } = packageJson('..')
  const installed = Object.fromEntries(packages.map((name) => [name, packageJson(name).version]))
  const mismatch = driverMismatch({ pinned, installed, missing: missingParts() })
  if (mismatch) throw new Error(mismatch)
}

const packages = ['pg', 'pg-protocol']

/** One sentence about the first mismatch; undefined if there is none. */
export function driverMismatch({ pinned, installed, missing }: Driver): string | undefined {
  const other = packages.find((name) => installed[name] !== pinned[name])
  if (other)
    return `${other} ${installed[other]} is installed, but Matricula needs exactly ${pinned[other]}: run npm ci.`
  if (missing.length === 0) return undefined
  const versions = packages.map((name) => `${name} ${installed[name]}`).join(' and ')
  return `Private members of ${versions} that Matricula uses are missing: ${missing.join(', ')}.`
}

function packageJson(name: string): { version: string; dependencies: Record<string, string> } {
  const path = findPackageJSON(name, import.meta.url)
  if (path === undefined) throw new Error(`The package.json of ${name} was not found: run npm ci.`)
  return JSON.parse(readFileSync(path, 'utf8'))
}
