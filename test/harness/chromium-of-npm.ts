import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Chromium, fontsConf, keptChromium } from './chromium.ts'

/** The Chromium in the package @sparticuz/chromium, which supports Linux on x64 only. */
export async function chromiumOfNpm(): Promise<Chromium | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const { version } = createRequire(import.meta.url)(join(packageFolder(), 'package.json'))
  return keptChromium(`npm-${version}-fonts`, inflateInto, chromiumIn)
}

/** Its main module is build/index.js. */
function packageFolder(): string {
  return dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
}

/** The package unpacks into the shared folder for temporary files. Here it uses a folder of its own. */
async function inflateInto(folder: string): Promise<void> {
  const { default: sparticuz, inflate } = await import('@sparticuz/chromium')
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    await sparticuz.executablePath()
    // Its own copies of the libraries that a minimal system lacks.
    await inflate(join(packageFolder(), 'bin/al2023.tar.br'))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  await writeFile(join(folder, 'fonts.conf'), fontsConf('fonts'))
}

function chromiumIn(folder: string): Chromium {
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}
