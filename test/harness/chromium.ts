import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A Chromium on this machine, and the environment of its process. */
export interface Chromium {
  executablePath: string
  env?: Record<string, string>
}

export const run = promisify(execFile)

export async function runs({ executablePath, env }: Chromium): Promise<boolean> {
  try {
    if (!(await isForThisMachine(executablePath))) return false
    await run(executablePath, ['--version'], { env: { ...process.env, ...env }, timeout: 30_000 })
    return true
  } catch {
    return false
  }
}

const elfMachines: Partial<Record<NodeJS.Architecture, number>> = { x64: 62, arm64: 183 }

/** A program for another processor does not simply fail: the system passes it to the shell, line by line. */
async function isForThisMachine(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(20), 0, 20, 0)
  const isElf = buffer.subarray(1, 4).toString('latin1') === 'ELF'
  return !isElf || buffer.readUInt16LE(18) === elfMachines[process.arch]
}

const cache = join(import.meta.dirname, '../../node_modules/.cache/matricula-chromium')

/**
 * The Chromium that `fill` puts into a folder: created once, under a temporary name, so that an interrupted or
 * concurrent run never leaves an incomplete browser; reused afterwards as long as it runs.
 */
export async function keptChromium(
  name: string,
  fill: (folder: string) => Promise<void>,
  chromiumIn: (folder: string) => Chromium,
): Promise<Chromium | undefined> {
  const folder = join(cache, name)
  const kept = chromiumIn(folder)
  if (await runs(kept)) return kept
  await mkdir(cache, { recursive: true })
  const making = await mkdtemp(join(cache, `${name}-making-`))
  try {
    await fill(making)
    if (!(await runs(chromiumIn(making)))) return undefined
    if (!(await runs(kept))) {
      await rm(folder, { recursive: true, force: true })
      await rename(making, folder)
    }
    return kept
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

/** Packages with the fonts of printed documents. A minimal system has none for Chinese, and pictures would show boxes. */
const fontPackages = ['latin', 'sc', 'arabic', 'hebrew'].map((script) =>
  join(import.meta.dirname, `../../node_modules/@embedpdf/fonts-${script}/fonts`),
)

/** Fonts of the folder in addition to those of the system. The path is relative, since the folder is renamed once complete. */
export function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">${folder}</dir>
${fontPackages.map((path) => `  <dir>${path}</dir>`).join('\n')}
</fontconfig>
`
}
