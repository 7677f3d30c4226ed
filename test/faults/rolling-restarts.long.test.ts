import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { signatureOf } from '../../src/access/tokens/signature.ts'
import { newId } from '../../src/contract/new-id.ts'
import { attemptsOf, noteAttempts } from '../harness/attempts.ts'
import { cleanUp, postmasterOf, settledDataDir, startService, waitUntil } from '../harness/process.ts'
import { childrenOf } from '../harness/processes.ts'

const restarts = attemptsOf('MATRICULA_ROLLING_RESTARTS', 1)
/**
 * With other tests the machine may be so busy that a slow database counts as frozen, and callers are refused with
 * Retry-After. The long run has the machine for itself and allows no refusal.
 */
const comesAgain = restarts === 1

afterAll(cleanUp)

test('workers are replaced one by one under load, and no request fails', async () => {
  const dataDir = await settledDataDir()
  const settings = { MATRICULA_DATA: dataDir, MATRICULA_WORKERS: '2', MATRICULA_LOG_LEVEL: 'info' }
  const service = startService(settings)
  const base = await service.ready
  const sample = JSON.parse(await readFile(join(dataDir, 'sample.json'), 'utf8'))
  const { app_id, user_api_secret, corp_id } = sample
  const kept = new Agent({ keepAlive: true, maxSockets: 4 })
  const ask = (agent: Agent | false, path: string, body?: object, token = '') =>
    call(base, agent, path, body, token)
  const time_stamp = String(Date.now())
  const signature = signatureOf(app_id, time_stamp, user_api_secret)
  const { data } = await ask(false, '/api/v5/authentication/token', { app_id, time_stamp, signature })
  const workers = () => childrenOf(service.pid).filter((pid) => pid !== postmasterOf(dataDir))
  const first = workers()

  let [isOver, asked] = [false, 0]
  const failures: string[] = []
  const ofList = `/api/v5/entity/order/list?corp_id=${corp_id}&page_size=1`
  async function load(agent: Agent | false): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const path = ['/readyz', ofList, '/api/v5/entity/user/create'][n % 3]!
      const body = path.endsWith('create') ? { corp_id, email: `${newId()}@example.com` } : undefined
      let answer: { code: unknown }
      let tries = 0
      do {
        if (tries > 0) await pause(1000)
        answer = await ask(agent, path, body, data.token).catch((error) => ({
          code: error.code ?? error.message,
        }))
        asked++
      } while (comesAgain && answer.code === 50301 && ++tries < 20)
      // Starting workers need CPU time too.
      await pause(20)
      if (answer.code !== 0) failures.push(`${path} ${answer.code}`)
    }
  }
  // Kept connections, and one for each call.
  const callers = [kept, kept, kept, false, false].map((agent) => load(agent as Agent | false))
  const finished = () => service.stderr().match(/all workers have been restarted/g)?.length ?? 0
  for (let n = 1; n <= restarts; n++) {
    service.kill('SIGUSR2')
    expect(await waitUntil(() => finished() === n, 120_000), service.stderr().slice(-2000)).toBe(true)
  }
  isOver = true
  await Promise.all(callers)
  kept.destroy()
  noteAttempts('rolling restarts under load', restarts, failures.length, `${asked} requests`)
  expect(failures).toEqual([])
  expect(asked).toBeGreaterThan(restarts * 20)
  expect(workers()).toHaveLength(2)
  expect(workers().filter((pid) => first.includes(pid))).toEqual([])
  expect(await service.stop()).toEqual({ code: 0, signal: null })
}, 7_200_000)

// biome-ignore lint/suspicious/noExplicitAny: data of several shapes.
function call(base: string, agent: Agent | false, path: string, body?: object, token = ''): Promise<any> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
    const sent = request(`${base}${path}`, { method: body ? 'POST' : 'GET', agent, headers }, (response) => {
      response.toArray().then((pieces) => resolve(JSON.parse(Buffer.concat(pieces).toString())), reject)
    })
    sent.on('error', reject).end(body && JSON.stringify(body))
  })
}
