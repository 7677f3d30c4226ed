// Runs before `npm start`, `npm test` and the command line, on the Node that runs npm (20 is enough): installs the
// locked packages when some are missing or have another version. `runtime` leaves out what only tests need.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const wanted = process.argv[2] === 'runtime' ? 'runtime' : 'all'
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const lock = join(root, 'package-lock.json')
/** npm's own record of installed packages. */
const installed = join(root, 'node_modules', '.package-lock.json')

if (process.env.MATRICULA_SKIP_INSTALL !== '1' && existsSync(lock) && !isInstalled()) install()

function isInstalled() {
  if (!existsSync(installed)) return false
  const there = packagesOf(installed)
  return Object.entries(packagesOf(lock)).every(([path, { version, dev, optional, devOptional }]) => {
    // Those that are optional are for other platforms.
    const isNeeded = path !== '' && !optional && (wanted === 'all' || !(dev || devOptional))
    return !isNeeded || there[path]?.version === version
  })
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function install() {
  process.stderr.write('Installing packages (once per version of package-lock.json) …\n')
  // No package needs an install script, and none gets to run one.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', ...flags, ...(wanted === 'runtime' ? ['--omit=dev'] : [])], {
    cwd: root,
    // The output of npm must not mix with a command's --json output.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
}
