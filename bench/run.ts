import { parseArgs } from 'node:util'
import { type Contestants, startContestants, startWithoutAudit } from './contestants/start.ts'
import { type Caller, generator } from './load.ts'
import {
  auditWork,
  measureAudit,
  measureLimited,
  measureMemory,
  measureNeighbour,
  measureRate,
  measureStart,
  measureTime,
  type Neighbours,
  type Pace,
  type RateWork,
  type TimeWork,
  textOf,
  writeBursts,
  writeSteadily,
} from './measure.ts'
import { type Figure, printTable, tell, writeJson } from './report.ts'
import { checkSameAnswers, checkSameShape } from './same-answers.ts'
import { type Closer, type Stage, setStage } from './stage.ts'
import { get, lists, lookups, pagesRead, rateWorks, remarks, timeWorks } from './works.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      orders: { type: 'string' },
      users: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  })
  const usual = values.quick ? '10000' : '100000'
  const size = {
    orders: wholeNumber('orders', values.orders ?? usual),
    users: wholeNumber('users', values.users ?? usual),
  }
  const pace = values.quick ? quickPace : fullPace
  const begun = performance.now()
  tell(`load from ${generator}; ${size.orders} orders and ${size.users} users against 10000 of each`)
  const stage = await setStage(size, closers)
  const contestants = await startContestants(stage, closers)
  const figures = await measureAll(stage, contestants, pace, values.only)
  printTable(figures)
  const missed = figures.filter(({ ok }) => !ok).length
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  tell(`${figures.length} figures, ${missed} missed their target; ${minutes} minutes, load from ${generator}`)
  if (values.json) await writeJson(values.json, figures)
}

const fullPace: Pace = { rounds: 5, roundsForInformation: 3, seconds: 2, fewestAnswers: 10 }
/** All measurements in about a quarter of an hour. */
const quickPace: Pace = { rounds: 3, roundsForInformation: 1, seconds: 1, fewestAnswers: 5 }

async function measureAll(
  stage: Stage,
  contestants: Contestants,
  pace: Pace,
  only: string,
): Promise<Figure[]> {
  const { usual, limited } = stage.callers
  const wanted = (work: string) => work.includes(only)
  const works = rateWorks(stage.schools)
  const times = await timeWorks(stage, contestants.ours.url)
  await compare(contestants, usual, works, times)
  await keepRows(stage, contestants)
  const figures: Figure[] = []
  for (const work of works.filter(({ work }) => wanted(work)))
    figures.push(...(await measureRate(contestants, usual, work, pace, stage.quiet)))
  for (const work of [...times, ...lookups(stage.schools)].filter(({ work }) => wanted(work)))
    figures.push(await measureTime(contestants, usual, work, pace.seconds))
  const pages = works.find(({ work }) => work === `${lists.financial}, 1,000 rows`)!.requests('ours')
  if (wanted('memory'))
    figures.push(await measureMemory(contestants, usual, pages, pace.rounds * pace.seconds))
  const profiles = works.find(({ work }) => work === 'profile/fetch')!
  if (wanted('profile/fetch, limited'))
    figures.push(await measureLimited(contestants, { usual, limited }, profiles, pace, stage.quiet))
  figures.push(...(await measureAudits(stage, contestants, works.filter(isAudited), pace, wanted)))
  for (const neighbours of neighboursOf(stage, contestants.ours.url, works, pace)) {
    if (wanted(`${neighbours.reads} beside ${neighbours.writes}`))
      figures.push(await measureNeighbour(contestants.ours.url, usual, neighbours))
  }
  if (wanted('warm npm start')) figures.push(await measureStart(pace.rounds, closers))
  return figures
}

const isAudited = ({ work }: RateWork) => ['user/create', 'order/payment/create'].includes(work)

async function measureAudits(
  stage: Stage,
  contestants: Contestants,
  works: RateWork[],
  pace: Pace,
  wanted: (work: string) => boolean,
): Promise<Figure[]> {
  const measured = works.filter(({ work }) => wanted(auditWork(work)))
  if (measured.length === 0) return []
  const withoutAudit = await startWithoutAudit(stage, closers)
  const figures: Figure[] = []
  for (const work of measured)
    figures.push(await measureAudit(contestants, withoutAudit, stage.callers.usual, work, pace, stage.quiet))
  return figures
}

/** The usual caller reads in one school while another account writes in another school. */
function neighboursOf(
  { schools, callers: { other } }: Stage,
  url: string,
  works: RateWork[],
  { rounds, seconds }: Pace,
): Neighbours[] {
  const requestsOf = (name: string) => works.find(({ work }) => work === name)!.requests('ours')
  const payments = works.find(({ work }) => work === 'order/payment/create')!
  return [
    {
      reads: 'profile/fetch',
      writes: '400 writes at once',
      requests: requestsOf('profile/fetch'),
      write: () => writeBursts(url, other, remarks(schools, 400), rounds),
      share: 0.95,
      target: '≤ 5',
    },
    {
      reads: 'order/fetch',
      writes: 'payments of 64 callers',
      requests: requestsOf('order/fetch'),
      write: () => writeSteadily(url, other, payments, rounds * seconds),
      share: 0.5,
      target: '≤ 3',
    },
  ]
}

async function compare(
  contestants: Contestants,
  caller: Caller,
  works: RateWork[],
  times: TimeWork[],
): Promise<void> {
  const paths = works.flatMap(({ requests }) => requests('ours').slice(0, 8))
  const reads = paths.filter(({ method }) => method === 'GET').map(({ path }) => path)
  await checkSameAnswers(contestants, caller, [...reads, ...times.map(({ path }) => path)])
  for (const { requests } of works) {
    if (requests('ours')[0]!.method === 'POST')
      await checkSameShape(contestants, caller, (name) => requests(name)[0]!)
  }
}

/** `raw` reads the rows of the first pages of each list. */
async function keepRows({ schools, callers, keepRows }: Stage, { plain }: Contestants): Promise<void> {
  for (const [list, path] of Object.entries(lists)) {
    const rows: string[] = []
    for (let page = 0; page < pagesRead; page++) {
      const text = await textOf(
        plain.url,
        callers.usual,
        get(schools.large, path, { page, page_size: 1000 }).path,
      )
      rows.push(...JSON.parse(text).data.list.map((row: object) => JSON.stringify(row)))
    }
    await keepRows(list, rows)
  }
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 10_000 || value > 1_000_000)
    throw new Error(`--${name} must be a whole number from 10000 to 1000000`)
  return value
}

/** Run in reverse order at the end, on a failure and on Ctrl-C. */
const closers: Closer[] = []

let isStopped = false
const stopped = Promise.withResolvers<never>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isStopped = true
    stopped.reject(new Error(`Stopped by ${signal}: closing what was opened`))
  })
}

try {
  await Promise.race([main(), stopped.promise])
} catch (error) {
  process.stderr.write(`${isStopped ? (error as Error).message : (error as Error).stack}\n`)
  process.exitCode = 1
} finally {
  for (const close of closers.toReversed()) await close().catch(() => undefined)
}
process.exit()
