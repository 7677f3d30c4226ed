import { type Metric, metricText } from './contract/metric-text.ts'

/** Counts the runs of background work, for the metrics. */
export interface JobCounts {
  /** Runs a job and notes how it ended. */
  run<T>(job: string, work: () => Promise<T>): Promise<T>
  /** The figures as Prometheus reads them. */
  metrics(): string
}

interface Job {
  runs: number
  failures: number
  seconds: number
  lastSeconds: number
  /** Undefined: it has not succeeded since the start. */
  succeededAtMs: number | undefined
}

/** Jobs that are known have figures before their first run. */
export function createJobCounts(known: string[]): JobCounts {
  const jobs = new Map<string, Job>(known.map((name) => [name, newJob()]))
  const jobOf = (name: string) => {
    const job = jobs.get(name) ?? newJob()
    jobs.set(name, job)
    return job
  }
  return {
    async run(name, work) {
      const job = jobOf(name)
      const beganMs = performance.now()
      try {
        const result = await work()
        job.succeededAtMs = Date.now()
        return result
      } catch (error) {
        job.failures++
        throw error
      } finally {
        job.runs++
        job.lastSeconds = (performance.now() - beganMs) / 1000
        job.seconds += job.lastSeconds
      }
    },
    metrics: () => metricText(metricsOf(jobs)),
  }
}

function newJob(): Job {
  return { runs: 0, failures: 0, seconds: 0, lastSeconds: 0, succeededAtMs: undefined }
}

function metricsOf(jobs: Map<string, Job>): Metric[] {
  const of = (name: string, type: Metric['type'], help: string, read: (job: Job) => number | undefined) => ({
    name: `matricula_job_${name}`,
    type,
    help,
    samples: [...jobs].flatMap(([job, figures]) => {
      const value = read(figures)
      return value === undefined ? [] : { labels: { task: job }, value }
    }),
  })
  return [
    of('runs_total', 'counter', 'Runs of background work', ({ runs }) => runs),
    of('failures_total', 'counter', 'Runs of background work that failed', ({ failures }) => failures),
    of('seconds_total', 'counter', 'Time of background work', ({ seconds }) => seconds),
    of('last_run_seconds', 'gauge', 'Duration of the last run of background work', ({ runs, lastSeconds }) =>
      runs === 0 ? undefined : lastSeconds,
    ),
    of(
      'last_success_timestamp_seconds',
      'gauge',
      'When background work last succeeded, since the start of the server',
      ({ succeededAtMs }) => (succeededAtMs === undefined ? undefined : succeededAtMs / 1000),
    ),
  ]
}
