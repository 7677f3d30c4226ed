import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import { attemptsOf, noteAttempts } from '../harness/attempts.ts'
import { cleanUp, settledDataDir, startService } from '../harness/process.ts'
import { childrenOf } from '../harness/processes.ts'
import { callAsSample } from '../harness/sample-caller.ts'

/** 30 in `npm run test:faults`, 480 for a night; without it there is nothing to see in the time that a test has. */
const minutes = attemptsOf('MATRICULA_SOAK_MINUTES', 0)
/** Half of what the machine bears is told by who knows the machine. */
const perSecond = attemptsOf('MATRICULA_SOAK_RATE', 200)

afterAll(cleanUp)

test.runIf(minutes > 0 && process.platform === 'linux')(
  'at a steady load, memory and descriptors stay flat and no request fails',
  async () => {
    const dataDir = await settledDataDir()
    const service = startService({
      MATRICULA_DATA: dataDir,
      MATRICULA_WORKERS: '2',
      MATRICULA_LOG_LEVEL: 'warn',
    })
    await service.ready
    const sample = await callAsSample(dataDir)
    const processes = () => [service.pid, ...childrenOf(service.pid)]
    let [asked, failed] = [0, 0]
    const times: number[] = []
    const samples: { kB: number; descriptors: number; p99: number }[] = []
    const end = performance.now() + minutes * 60_000
    while (performance.now() < end) {
      await sample.signIn()
      const minuteEnd = performance.now() + 60_000
      times.length = 0
      while (performance.now() < minuteEnd) {
        const begun = performance.now()
        const works = Array.from({ length: Math.ceil(perSecond / 10) }, async (_, n) => {
          const { code } = await (n % 4 === 0
            ? sample.post('entity/user/create', { email: `${newId()}@example.com` })
            : sample.get('entity/order/list', { page_size: '10' })
          ).catch(() => ({ code: -1 }))
          times.push(performance.now() - begun)
          asked++
          if (code !== 0) failed++
        })
        await Promise.all(works)
        await pause(Math.max(0, 100 - (performance.now() - begun)))
      }
      const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
      samples.push({ kB: sum(processes(), memoryOf), descriptors: sum(processes(), descriptorsOf), p99 })
    }
    // The first minutes fill caches and pools.
    const settled = samples.slice(Math.min(5, Math.floor(samples.length / 3)))
    const [first, last] = [settled[0]!, settled.at(-1)!]
    const remark = `${first.kB} → ${last.kB} kB, ${first.descriptors} → ${last.descriptors} descriptors, p99 ${Math.round(first.p99)} → ${Math.round(last.p99)} ms`
    noteAttempts(`soak of ${minutes} minutes`, asked, failed, remark)
    expect(failed).toBe(0)
    expect(last.descriptors, remark).toBeLessThan(first.descriptors + 40)
    expect(last.kB, remark).toBeLessThan(first.kB * 1.3)
    await service.stop()
  },
  minutes * 60_000 + 300_000,
)

function sum(pids: number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + of(pid), 0)
}

function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
}

function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}
