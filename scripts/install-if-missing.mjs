// Runs before `npm start`, `npm test` and the command line, on whatever Node runs npm (20 is enough): installs the
// locked packages when they are missing or the lock file has changed since. `runtime` leaves out what only tests need.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const wanted = process.argv[2] === 'runtime' ? 'runtime' : 'all'
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const lock = join(root, 'package-lock.json')
const stamp = join(root, 'node_modules', '.installed.json')

if (process.env.MATRICULA_SKIP_INSTALL !== '1' && existsSync(lock) && !isInstalled()) install()

function isInstalled() {
  if (!existsSync(stamp)) return false
  const installed = JSON.parse(readFileSync(stamp, 'utf8'))
  return (
    installed.lock === readFileSync(lock, 'utf8') && (installed.packages === 'all' || wanted === 'runtime')
  )
}

function install() {
  process.stderr.write('Installing packages (once per version of package-lock.json) …\n')
  // No package needs an install script, and none gets to run one.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', ...flags, ...(wanted === 'runtime' ? ['--omit=dev'] : [])], {
    cwd: root,
    // What npm prints must not mix with a command's --json output.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  writeFileSync(stamp, JSON.stringify({ packages: wanted, lock: readFileSync(lock, 'utf8') }))
}
