import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Contestants, readyUrl, stopChild } from './contestants/start.ts'
import { type Caller, headersOf, type LoadRequest, type LoadResult, runBurst, runLoad } from './load.ts'
import { type Figure, figure, median, percentile, tell } from './report.ts'
import type { Closer } from './stage.ts'

export interface Pace {
  rounds: number
  /** Rounds of figures without a target. */
  roundsForInformation: number
  seconds: number
  /** The minimum number of responses. A round with fewer takes longer. */
  fewestAnswers: number
}

export type Rival = 'plain' | 'bare' | 'raw'

/** Work that is measured as a rate, alternating with the rivals that have a target here (null: for information). */
export interface RateWork {
  work: string
  connections: number
  requests(contestant: 'ours' | 'plain'): LoadRequest[]
  against: Partial<Record<Rival, string | null>>
  /** The kept texts that `raw` reads instead. */
  raw?: { list: string; pageSize: number; pages: number }
}

/** Two calls whose times are compared: the same call on other data, or another page of the same list. */
export interface TimeWork {
  work: string
  ratio: string
  path: string
  base: string
  target: string
}

let numbers = 0
/** Rounds never share numbers, so that what one created is new in the next. */
const nextNumber = () => ++numbers * 1_000_000

export async function measureRate(
  { ours, plain, bare, raw }: Contestants,
  caller: Caller,
  work: RateWork,
  pace: Pace,
  quiet: () => Promise<void>,
): Promise<Figure[]> {
  const rivals = Object.keys(work.against) as Rival[]
  const load = (url: string, requests: LoadRequest[]) => (seconds: number) =>
    runLoad({ url, caller, requests, connections: work.connections, seconds, firstNumber: nextNumber() })
  const runs: Record<'ours' | Rival, (seconds: number) => Promise<LoadResult>> = {
    ours: load(ours.url, work.requests('ours')),
    plain: load(plain.url, work.requests('plain')),
    bare: load(bare.url, work.requests('ours')),
    raw: (seconds) => raw.run({ ...work.raw!, connections: work.connections, seconds }),
  }
  if (rivals.includes('bare')) await bare.answer(await answersTo(ours.url, caller, work.requests('ours')))
  const names = ['ours', ...rivals] as const
  const run = async (name: (typeof names)[number], seconds: number) => {
    await quiet()
    return runs[name](seconds)
  }
  const seconds = await secondsFor(
    names.map((name) => (seconds) => run(name, seconds)),
    pace,
  )
  const isInformation = Object.values(work.against).every((target) => target === null)
  const rates: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]))
  // The bare server shows the speed of the machine at that second.
  const usualRounds = rivals.includes('bare') ? 3 * pace.rounds : pace.rounds
  for (let round = 0; round < (isInformation ? pace.roundsForInformation : usualRounds); round++) {
    for (const name of names) {
      const { perSecond, failed } = await run(name, seconds)
      if (failed > 0) throw new Error(`${work.work}: ${failed} calls to ${name} failed`)
      if (perSecond === 0) throw new Error(`${work.work}: ${name} answered nothing within ${seconds} s`)
      rates[name]!.push(perSecond)
    }
  }
  tell(`${work.work}: ${names.map((name) => `${name} ${median(rates[name]!).toFixed(0)}/s`).join(', ')}`)
  return rivals.map((rival) => {
    const ratios = rates.ours!.map((rate, round) => rate / rates[rival]![round]!)
    return figure(work.work, `ours ÷ ${rival}`, median(ratios), work.against[rival] ?? null)
  })
}

const answersKept = 200

/** The responses to a sample of the requests. Responses differ in length. */
async function answersTo(url: string, caller: Caller, requests: LoadRequest[]): Promise<string[]> {
  const step = Math.max(1, Math.floor(requests.length / answersKept))
  const some = requests.filter((_, index) => index % step === 0)
  const answers: string[] = []
  for (const { path } of some) answers.push(await textOf(url, caller, path))
  return answers
}

/** Warms up every contestant. A slow one gets rounds that are long enough for several responses. */
async function secondsFor(runs: ((seconds: number) => Promise<LoadResult>)[], pace: Pace): Promise<number> {
  let slowest = Number.POSITIVE_INFINITY
  for (const run of runs) slowest = Math.min(slowest, await warmUp(run))
  return Math.min(10, Math.max(pace.seconds, Math.ceil(pace.fewestAnswers / Math.max(slowest, 1))))
}

const longestWarmUp = 20
/** Recompilation by V8 makes single seconds slower. */
const secondsWithoutGain = 4

/** Servers run for days, so the warm-up continues until the server gets no faster. */
async function warmUp(run: (seconds: number) => Promise<LoadResult>): Promise<number> {
  let best = 0
  for (let seconds = 0, since = 0; seconds < longestWarmUp && since < secondsWithoutGain; seconds++) {
    const { perSecond } = await run(1)
    since = perSecond > best * 1.03 ? 0 : since + 1
    best = Math.max(best, perSecond)
  }
  return best
}

/** Sequential calls, alternating, on an otherwise idle server. */
export async function measureTime(
  { ours }: Contestants,
  caller: Caller,
  { work, ratio, path, base, target }: TimeWork,
  seconds: number,
): Promise<Figure> {
  const times: Record<string, number[]> = { [path]: [], [base]: [] }
  for (const warming of [path, base, path, base]) await textOf(ours.url, caller, warming)
  const end = performance.now() + seconds * 1000
  while (performance.now() < end || times[base]!.length < 5) {
    for (const each of [path, base]) {
      const start = performance.now()
      await textOf(ours.url, caller, each)
      times[each]!.push(performance.now() - start)
    }
  }
  const [one, other] = [median(times[path]!), median(times[base]!)]
  tell(`${work}: ${one.toFixed(2)} ms ÷ ${other.toFixed(2)} ms`)
  return figure(work, ratio, one / other, target)
}

/** Maximum memory of a process of our server under this load. */
export async function measureMemory(
  { ours }: Contestants,
  caller: Caller,
  requests: LoadRequest[],
  seconds: number,
): Promise<Figure> {
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, ...processesOf(ours.pid).map(residentMegabytes))
  }, 100)
  const { perSecond } = await runLoad({
    url: ours.url,
    caller,
    requests,
    connections: 64,
    seconds,
    firstNumber: nextNumber(),
  })
  clearInterval(watch)
  tell(`memory: ${most.toFixed(0)} MB at ${perSecond.toFixed(0)} pages/s`)
  return figure('memory, 64 connections of 1,000 rows', 'MB', most, '≤ 350')
}

/** Two contestants under the same load: the figure is the first divided by the second. */
interface Pair {
  work: string
  ratio: string
  target: string
  names: [string, string]
  requests: LoadRequest[]
  connections: number
  /** The address and the caller of each. */
  sides: [Side, Side]
}

interface Side {
  url: string
  caller: Caller
}

/** Two almost equal measurements, alternating. */
async function measurePair(
  pair: Pair,
  { rounds, seconds }: Pace,
  quiet: () => Promise<void>,
): Promise<Figure> {
  const { work, ratio, target, names, requests, connections, sides } = pair
  const rate = async ({ url, caller }: Side) => {
    await quiet()
    const load = { url, caller, requests, connections, seconds: 2 * seconds, firstNumber: nextNumber() }
    const { perSecond, failed } = await runLoad(load)
    if (failed > 0) throw new Error(`${work}: ${failed} calls failed`)
    return perSecond
  }
  for (const side of sides) await rate(side)
  const rates: [number[], number[]] = [[], []]
  // One of two neighbouring rounds is always a little faster, so their order alternates.
  for (let round = 0; round < 4 * rounds; round++) {
    for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      rates[side].push(await rate(sides[side]))
  }
  tell(`${work}: ${names.map((name, side) => `${name} ${median(rates[side]!).toFixed(0)}/s`).join(', ')}`)
  // Compared per round: the speed of a machine varies more from minute to minute than the two differ.
  const ratios = rates[0].map((rate, round) => rate / rates[1][round]!)
  return figure(work, ratio, median(ratios), target)
}

/** The same reads by an account with a limit that it never reaches and by one without. */
export function measureLimited(
  { ours: { url } }: Contestants,
  { usual, limited }: Record<'usual' | 'limited', Caller>,
  { work, requests, connections }: RateWork,
  pace: Pace,
  quiet: () => Promise<void>,
): Promise<Figure> {
  const pair = {
    work: `${work}, limited to 1,000,000 a minute`,
    ratio: 'limited ÷ unlimited',
    target: '≥ 0.95',
    names: ['limited', 'unlimited'] as [string, string],
    requests: requests('ours'),
    connections,
  }
  const sides: Pair['sides'] = [
    { url, caller: limited },
    { url, caller: usual },
  ]
  return measurePair({ ...pair, sides }, pace, quiet)
}

/** The same writes on our server, with and without the audit. */
export function measureAudit(
  { ours }: Contestants,
  withoutAudit: { url: string },
  caller: Caller,
  { work, requests, connections }: RateWork,
  pace: Pace,
  quiet: () => Promise<void>,
): Promise<Figure> {
  const pair = {
    work: auditWork(work),
    ratio: 'with ÷ without',
    target: '≥ 0.9',
    names: ['with', 'without'] as [string, string],
    requests: requests('ours'),
    connections,
  }
  const sides: Pair['sides'] = [
    { url: ours.url, caller },
    { url: withoutAudit.url, caller },
  ]
  return measurePair({ ...pair, sides }, pace, quiet)
}

export function auditWork(work: string): string {
  return `${work}, audit`
}

/** The duration that a refused read counts for. */
const patienceMs = 10_000

/** The effect of one organization's writes on the reads of another. */
export interface Neighbours {
  /** Part of the name of the figure: reads … beside … elsewhere. */
  reads: string
  writes: string
  requests: LoadRequest[]
  /** Writes until the signal is aborted. */
  write(): Promise<LoadResult>
  share: number
  target: string
}

/** Times of reads, one after the other, on an idle server and while another organization writes. */
export async function measureNeighbour(
  url: string,
  reader: Caller,
  { reads, writes, requests, write, share, target }: Neighbours,
): Promise<Figure> {
  let next = 0
  let refused = 0
  const timeOfRead = async () => {
    const start = performance.now()
    try {
      await textOf(url, reader, requests[next++ % requests.length]!.path)
      return performance.now() - start
    } catch {
      refused++
      return patienceMs
    }
  }
  const idle: number[] = []
  for (let n = 0; n < 600; n++) idle.push(await timeOfRead())
  const busy: number[] = []
  let isOver = false
  const written = write().finally(() => {
    isOver = true
  })
  while (!isOver) busy.push(await timeOfRead())
  const { failed } = await written
  if (failed > 0) tell(`${failed} of ${writes} were refused`)
  const [quiet, loud] = [percentile(idle.slice(100), share), percentile(busy, share)]
  const name = `p${share * 100}`
  tell(
    `${reads} ${name}: ${quiet.toFixed(2)} ms idle, ${loud.toFixed(2)} ms beside ${writes} (${busy.length} reads, ${refused} refused)`,
  )
  return figure(`${reads} beside ${writes} elsewhere`, `${name} busy ÷ idle`, loud / quiet, target)
}

/** A number of sequential bursts. */
export async function writeBursts(
  url: string,
  caller: Caller,
  requests: LoadRequest[],
  bursts: number,
): Promise<LoadResult> {
  let failed = 0
  for (let burst = 0; burst < bursts; burst++)
    failed += (await runBurst({ url, caller, requests, firstNumber: nextNumber() })).failed
  return { perSecond: 0, failed }
}

/** The same load as for a rate. */
export function writeSteadily(
  url: string,
  caller: Caller,
  { requests, connections }: RateWork,
  seconds: number,
): Promise<LoadResult> {
  const load = { url, caller, requests: requests('ours'), connections, seconds }
  return runLoad({ ...load, firstNumber: nextNumber() })
}

/** Seconds from `npm start` to the banner, on a data folder after its first start. */
export async function measureStart(starts: number, closers: Closer[]): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-bench-start-'))
  closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const settings = {
    ...process.env,
    PORT: '0',
    MATRICULA_DATA: folder,
    MATRICULA_DRAIN_MS: '0',
    MATRICULA_LOG_LEVEL: 'error',
  }
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const seconds: number[] = []
  for (let start = 0; start <= starts; start++) {
    const begun = performance.now()
    const child = spawn('npm', ['start'], { cwd, env: settings, stdio: ['ignore', 'pipe', 'inherit'] })
    closers.push(() => stopChild(child))
    await readyUrl(child)
    if (start > 0) seconds.push((performance.now() - begun) / 1000)
    await stopChild(child)
  }
  tell(`warm start: ${seconds.map((value) => value.toFixed(2)).join(', ')} s`)
  return figure('warm npm start until ready', 'seconds', median(seconds), '≤ 3')
}

export async function textOf(url: string, caller: Caller, path: string): Promise<string> {
  const response = await fetch(`${url}${path}`, { headers: headersOf(caller) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was answered with ${text.slice(0, 300)}`)
  return text
}

/** A process and its children, if the system shows them. */
function processesOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  const children = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean) : []
  return [pid, ...children.map(Number)]
}

function residentMegabytes(pid: number): number {
  const file = `/proc/${pid}/status`
  const kilobytes = existsSync(file) ? /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined
  return Number(kilobytes ?? 0) / 1024
}
