import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrokenServer, startBrokenServer } from './conformance-kit/broken-server.ts'

const run = promisify(execFile)

let broken: BrokenServer
beforeAll(async () => {
  broken = await startBrokenServer()
})
afterAll(() => broken?.close())

test('the package that the server offers runs by its name, and writes both reports', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-kit-'))
  try {
    const { server } = broken
    const packed = await fetch(`${server.url}/packages/matricula-conformance.tgz`)
    await writeFile(join(folder, 'kit.tgz'), await packed.bytes())
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', './kit.tgz'], { cwd: folder })
    const { app_id, corp_id, user_api_secret } = server.sample
    const school = ['--base-url', server.url, '--app-id', app_id, '--corp-id', corp_id]
    const wanted = ['--read-only', '--junit', 'kit.xml', '--html', 'kit.html']
    const { stdout } = await run('npx', ['--offline', 'matricula-conformance', ...school, ...wanted], {
      cwd: folder,
      env: { ...process.env, MATRICULA_SECRET: user_api_secret },
    })
    expect(stdout).toMatch(/\d+ passed, 0 failed/)
    expect(await readFile(join(folder, 'kit.xml'), 'utf8')).toContain('<testsuite name="interface"')
    expect(await readFile(join(folder, 'kit.html'), 'utf8')).toContain('Gaps of the interface')
  } finally {
    await rm(folder, { recursive: true })
  }
})
