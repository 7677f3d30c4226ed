import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metricTypes, readAllMetrics } from './harness/all-metrics.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

let server: TestServer
/** The series that a server offers, by name. */
let offered: Set<string>
let types: Map<string, string>
beforeAll(async () => {
  server = await startTestServer('sample', { metricsSchools: 5 })
  await addSchoolFigures(server)
  types = metricTypes(await readAllMetrics(server.url))
  offered = new Set(
    [...types].flatMap(([name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
})
afterAll(() => server?.close())

async function addSchoolFigures({ database, sample }: TestServer): Promise<void> {
  const { superuser } = database
  await superuser.query('insert into usage_days values ($1, $2::date, 1, 1, now()) on conflict do nothing', [
    sample.corp_id,
    new Date().toISOString().slice(0, 10),
  ])
  await superuser.query(
    `insert into usage_measures values ($1, now(), now(), now(), '{"users":1}', 1) on conflict do nothing`,
    [sample.corp_id],
  )
}

/** The series that an expression reads. Words of the language and label names are no series. */
function seriesIn(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '').replaceAll(/\{[^}]*\}/g, '')
  return [...bare.matchAll(/\b(?:matricula|nodejs|process)_\w+|\bup\b/g)].map(([name]) => name)
}

describe('the dashboard', () => {
  const folder = mkdtempSync(join(tmpdir(), 'matricula-panels-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const dashboard = JSON.parse(read('deploy/grafana-dashboard.json'))
  const panels: { id: number; type: string; title: string; targets?: { expr: string }[] }[] = dashboard.panels
  const expressions = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr })),
  )

  test('reads only series that a server offers', () => {
    expect(expressions.length).toBeGreaterThan(30)
    for (const { title, expr } of expressions) {
      const series = seriesIn(expr)
      expect(series, title).not.toEqual([])
      for (const name of series) expect(offered, `${title}: ${name}`).toContain(name)
    }
  })

  test('shows every metric of the service', () => {
    const shown = new Set(expressions.flatMap(({ expr }) => seriesIn(expr)))
    const own = [...types.keys()].filter((name) => name.startsWith('matricula_'))
    const isShown = (name: string) => [name, `${name}_bucket`, `${name}_sum`].some((each) => shown.has(each))
    expect(own.filter((name) => !isShown(name))).toEqual([])
  })

  test('has panels with unique ids and places', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })

  test('has expressions that Prometheus can parse', (context) => {
    const rules = expressions.map(({ expr }, index) => ({
      record: `panel_${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    }))
    const file = join(folder, 'panels.json')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
    const checked = promtool(['check', 'rules', file])
    if (!checked) return context.skip('promtool is not installed')
    expect(checked).toMatchObject({ status: 0 })
  })
})

describe('the alert rules', () => {
  const rules = read('deploy/alerts.yml')
  const tests = read('deploy/alerts.test.yml')

  test('read only series that a server offers', () => {
    const expressions = rules
      .split('\n')
      .filter((line) => !/^\s*(#|summary:|action:|- alert:|- name:)/.test(line))
      .join('\n')
    const series = seriesIn(expressions)
    expect(series.length).toBeGreaterThan(15)
    for (const name of series) expect(new Set([...offered, 'up']), name).toContain(name)
  })

  test('the tests of the rules name rules that exist', () => {
    const names = new Set([...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name))
    const tested = new Set([...tests.matchAll(/alertname: (\w+)/g)].map(([, name]) => name))
    expect(tested.size).toBeGreaterThanOrEqual(3)
    for (const name of tested) expect(names).toContain(name)
  })

  test('are accepted by promtool, and fire as tested', (context) => {
    const folder = new URL('../deploy/', import.meta.url).pathname
    const checked = promtool(['check', 'rules', `${folder}alerts.yml`])
    if (!checked) return context.skip('promtool is not installed')
    expect(checked).toMatchObject({ status: 0 })
    expect(promtool(['test', 'rules', `${folder}alerts.test.yml`])).toMatchObject({ status: 0 })
  })
})

test('docs/operating.md lists exactly the metrics of the service', () => {
  const page = read('docs/operating.md')
  const table = page.slice(page.indexOf('| Metric, after'), page.indexOf('All workers are summed.'))
  const listed = [...table.matchAll(/^\|([^|]*)\|/gm)]
    .slice(2)
    .flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => `matricula_${name}`))
  expect(listed.sort()).toEqual([...types.keys()].filter((name) => name.startsWith('matricula_')).sort())
})

/** Undefined where promtool is not installed. */
function promtool(args: string[]) {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { encoding: 'utf8' })
  return error ? undefined : { status, stdout, stderr }
}
