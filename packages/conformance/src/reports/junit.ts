import type { Report, Result } from '../run.ts'
import { countsOf, failureText } from './text.ts'

/** The report as JUnit XML: a suite per level. */
export function junitOf(report: Report): string {
  const suites = report.levels.map((level) => {
    const results = report.results.filter(({ check }) => check.level === level)
    const { failed, skipped } = countsOf({ results })
    return [
      `  <testsuite name="${level}" tests="${results.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${seconds(results)}" timestamp="${report.startedAt.toISOString()}">`,
      ...results.map(caseOf),
      '  </testsuite>',
    ].join('\n')
  })
  const { failed, skipped } = countsOf(report)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="matricula-conformance" tests="${report.results.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${seconds(report.results)}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function caseOf(result: Result): string {
  const { check, state, expected, why } = result
  const opening = `    <testcase classname="${escaped(`${check.level}.${check.operation}`)}" name="${escaped(check.id)}" time="${seconds([result])}"`
  if (state === 'passed') return `${opening}/>`
  const inner =
    state === 'skipped'
      ? `<skipped message="${escaped(why ?? '')}"/>`
      : `<failure message="${escaped(`expected ${expected}`)}">${escaped(failureText(result))}</failure>`
  return `${opening}>\n      ${inner}\n    </testcase>`
}

function seconds(results: Pick<Result, 'ms'>[]): string {
  return (results.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(3)
}

/** Text for XML and HTML, without the control characters that XML does not have. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '�')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
