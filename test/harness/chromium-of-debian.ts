import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Chromium, fontsConf, keptChromium, run } from './chromium.ts'

/**
 * Debian's headless Chromium with the libraries that this machine lacks, unpacked into our own folder. No npm
 * package contains a Chromium for Linux on arm64. apt works on our own folders and only downloads, so that an
 * ordinary user can do it and the system does not change.
 */
export async function chromiumOfDebian(): Promise<Chromium | undefined> {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg'))
    return undefined
  try {
    return await keptChromium(`debian-${process.arch}-with-chinese`, unpackInto, chromiumIn)
  } catch (error) {
    throw new Error(
      'The tests of pages need Chromium, and apt could not fetch chromium-headless-shell: ' +
        'install chromium or Google Chrome, or name a binary in MATRICULA_TEST_BROWSER.',
      { cause: error },
    )
  }
}

async function unpackInto(folder: string): Promise<void> {
  const apt = join(folder, 'apt')
  await mkdir(join(apt, 'state/lists/partial'), { recursive: true })
  await mkdir(join(apt, 'cache/archives/partial'), { recursive: true })
  const options = Object.entries({
    'Dir::State': join(apt, 'state'),
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': join(apt, 'cache'),
    'Dir::Log': apt,
    // The locks are those of the system, which is not changed.
    'Debug::NoLocking': 'true',
    // As root, apt would download as a user who cannot write here.
    'APT::Sandbox::User': 'root',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  await run('apt-get', [...options, '-qq', 'update'])
  const wanted = ['chromium-headless-shell', 'fonts-dejavu-core', 'fonts-wqy-microhei']
  await run('apt-get', [
    ...options,
    '-qq',
    '-y',
    '--download-only',
    '--no-install-recommends',
    'install',
    ...wanted,
  ])

  const archives = join(apt, 'cache/archives')
  for (const name of await readdir(archives)) {
    if (name.endsWith('.deb')) await run('dpkg', ['-x', join(archives, name), folder])
  }
  await rm(apt, { recursive: true })
  await writeFile(join(folder, 'fonts.conf'), fontsConf('usr/share/fonts'))
}

function chromiumIn(folder: string): Chromium {
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
  const libraries = ['usr/lib', 'lib'].flatMap((at) => [
    join(folder, at, triplet),
    join(folder, at, triplet, 'pulseaudio'),
  ])
  return {
    executablePath: join(folder, 'usr/lib/chromium/chromium-headless-shell'),
    env: { LD_LIBRARY_PATH: libraries.join(':'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}
