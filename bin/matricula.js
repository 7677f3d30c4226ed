#!/usr/bin/env node
// Plain JavaScript, because this file also runs on a Node that cannot run the rest.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const wantedMajor = 26
const source = new URL('../src/', import.meta.url).href

if (Number.parseInt(process.versions.node, 10) >= wantedMajor) {
  stripTypesInsideNodeModules()
  await import(`${source}cli/matricula.ts`)
} else {
  runWithBundledNode()
}

/** Node strips types everywhere but beneath node_modules, where this package is once it is installed. */
function stripTypesInsideNodeModules() {
  if (!source.includes('/node_modules/')) return
  silenceWarningAbout('stripTypeScriptTypes')
  module.registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith(source) || !url.endsWith('.ts')) return nextLoad(url, context)
      const text = readFileSync(fileURLToPath(url), 'utf8')
      return { format: 'module', source: module.stripTypeScriptTypes(text), shortCircuit: true }
    },
  })
}

function silenceWarningAbout(feature) {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).includes(feature)) emitWarning.call(process, warning, ...rest)
  }
}

function runWithBundledNode() {
  const node = findBundledNode()
  if (node === undefined) {
    console.error(
      `Matricula needs Node ${wantedMajor} or later, and this is ${process.versions.node}: ` +
        'install a newer one, or install Matricula without --omit=optional, which brings one along.',
    )
    process.exitCode = 1
    return
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) {
    // A terminal sends Ctrl-C to both processes; everybody else only to this one.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  child.on('error', (error) => {
    console.error(`The Node that came with Matricula cannot be run (${error.code}).`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

function findBundledNode() {
  const platform = `${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  for (const name of [`node-${platform}`, `node-bin-${platform}`]) {
    try {
      return join(dirname(require.resolve(`${name}/package.json`)), 'bin', 'node')
    } catch {
      // Not installed: perhaps under the other name.
    }
  }
  return undefined
}
