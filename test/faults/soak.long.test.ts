import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import { attemptsOf, noteAttempts } from '../harness/attempts.ts'
import { callCli } from '../harness/cli.ts'
import { cleanUp, settledDataDir, startService } from '../harness/process.ts'
import { childrenOf } from '../harness/processes.ts'
import { callAsSample } from '../harness/sample-caller.ts'

/** 30 in `npm run test:faults`, 480 for a night. */
const minutes = attemptsOf('MATRICULA_SOAK_MINUTES', 0.2)
const isLong = minutes >= 10
/** The processes are measured at this interval. */
const spellMs = isLong ? 60_000 : 2000
/** Memory grows at first, as caches fill. */
const mostGrowth = isLong ? 1.3 : 1.6
/** Requests per second. Default: half of the measured maximum. */
const wantedRate = attemptsOf('MATRICULA_SOAK_RATE', 0)
const trialMs = isLong ? 20_000 : 1000

interface Sample {
  kB: number
  descriptors: number
  p99: number
}

afterAll(cleanUp)

test.runIf(process.platform === 'linux')(
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
    await callCli(['account', 'limit', sample.app_id, 'none'], { MATRICULA_DATA: dataDir })
    const processes = () => [service.pid, ...childrenOf(service.pid)]
    let [asked, failed] = [0, 0]
    /** One in four writes. */
    const ask = async () => {
      const { code } = await (asked++ % 4 === 0
        ? sample.post('entity/user/create', { email: `${newId()}@example.com` })
        : sample.get('entity/order/list', { page_size: '10' })
      ).catch(() => ({ code: -1 }))
      if (code !== 0) failed++
    }
    await sample.signIn()
    await askWithoutPause(ask)
    const [before, begun] = [asked, performance.now()]
    await askWithoutPause(ask)
    const borne = ((asked - before) * 1000) / (performance.now() - begun)
    const perSecond = wantedRate || borne / 2
    const times: number[] = []
    const samples: Sample[] = []
    const end = performance.now() + minutes * 60_000
    while (performance.now() < end) {
      await sample.signIn()
      const spellEnd = performance.now() + spellMs
      times.length = 0
      while (performance.now() < spellEnd) {
        const begun = performance.now()
        const works = Array.from({ length: Math.ceil(perSecond / 10) }, async () => {
          await ask()
          times.push(performance.now() - begun)
        })
        await Promise.all(works)
        await pause(Math.max(0, 100 - (performance.now() - begun)))
      }
      const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
      samples.push({ kB: sum(processes(), memoryOf), descriptors: sum(processes(), descriptorsOf), p99 })
    }
    // The first minutes fill caches and pools.
    const settled = samples.slice(Math.min(5, Math.floor(samples.length / 3)))
    const third = Math.ceil(settled.length / 3)
    const [first, last] = [medians(settled.slice(0, third)), medians(settled.slice(-third))]
    const remark = `${Math.round(perSecond)} of ${Math.round(borne)} a second, ${first.kB} → ${last.kB} kB, ${first.descriptors} → ${last.descriptors} descriptors, p99 ${Math.round(first.p99)} → ${Math.round(last.p99)} ms`
    noteAttempts(`soak of ${minutes} minutes`, asked, failed, remark)
    expect(failed).toBe(0)
    expect(last.descriptors, remark).toBeLessThan(first.descriptors + 40)
    expect(last.kB, remark).toBeLessThan(first.kB * mostGrowth)
    // The slowest hundredth is significant among thousands of responses, and not among a few hundred.
    if (isLong) expect(last.p99, remark).toBeLessThan(first.p99 * 2)
    await service.stop()
  },
  minutes * 60_000 + 300_000,
)

/** Sixteen callers, each sending its next call after the last response. */
async function askWithoutPause(ask: () => Promise<void>): Promise<void> {
  const end = performance.now() + trialMs
  const keepAsking = async () => {
    while (performance.now() < end) await ask()
  }
  await Promise.all(Array.from({ length: 16 }, keepAsking))
}

function medians(samples: Sample[]): Sample {
  const median = (of: keyof Sample) =>
    samples.map((sample) => sample[of]).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)]!
  return { kB: median('kB'), descriptors: median('descriptors'), p99: median('p99') }
}

function sum(pids: number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + of(pid), 0)
}

function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
}

function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}
