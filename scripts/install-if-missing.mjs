// Runs before `npm start`, `npm test` and the command line, on whatever Node runs npm (20 is enough):
// installs the locked packages when they are missing or the lock file has changed since.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const lock = join(root, 'package-lock.json')
const stamp = join(root, 'node_modules', '.installed-lock.json')

// A production image ships its packages without a lock stamp: what is installed there is what it wants.
const current = existsSync(lock) ? readFileSync(lock, 'utf8') : undefined
const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined

if (current !== undefined && process.env.MATRICULA_SKIP_INSTALL !== '1' && installed !== current) {
  process.stderr.write('Installing packages (once per version of package-lock.json) …\n')
  // No package needs an install script, and none gets to run one.
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    // What npm prints must not mix with a command's --json output.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  writeFileSync(stamp, current)
}
