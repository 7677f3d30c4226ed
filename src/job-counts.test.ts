import { expect, test } from 'vitest'
import { createJobCounts } from './job-counts.ts'

test('runs, failures and durations are counted per job; known jobs are listed before they run', async () => {
  const jobs = createJobCounts(['idle'])
  expect(await jobs.run('work', async () => 7)).toBe(7)
  await expect(jobs.run('work', async () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  const lines = jobs.metrics().split('\n')
  expect(lines).toContain('matricula_job_runs_total{task="idle"} 0')
  expect(lines).toContain('matricula_job_runs_total{task="work"} 2')
  expect(lines).toContain('matricula_job_failures_total{task="work"} 1')
  const [success] = lines.filter((line) => line.startsWith('matricula_job_last_success_timestamp_seconds{'))
  expect(Number(success!.split(' ')[1])).toBeCloseTo(Date.now() / 1000, -2)
  expect(success).toContain('task="work"')
})
