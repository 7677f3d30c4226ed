import type { Report, Result } from '../run.ts'
import { gaps } from '../tables/gaps.ts'
import { escaped } from './junit.ts'
import { countsOf } from './text.ts'

/** The report as one page that loads nothing: counts, failures, gaps, all checks. */
export function htmlOf(report: Report): string {
  const { passed, failed, skipped } = countsOf(report)
  const failures = report.results.filter(({ state }) => state === 'failed')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance of ${escaped(report.baseUrl)}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #1d2327 }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid #dcdfe3 }
pre { background: #f4f5f7; padding: .8rem; white-space: pre-wrap; overflow-wrap: anywhere }
.failed { color: #a4161a } .passed { color: #17692f } .skipped { color: #5f6670 }
</style>
</head>
<body>
<h1>Conformance</h1>
<p>${escaped(report.baseUrl)}, organization ${escaped(report.corpId)}, ${report.startedAt.toISOString()}. Levels: ${report.levels.join(', ')}.</p>
<p><strong class="passed">${passed} passed</strong>, <strong class="failed">${failed} failed</strong>, <strong class="skipped">${skipped} skipped</strong>, ${report.warnings.length} warnings, ${(report.ms / 1000).toFixed(1)} s.</p>
${failures.length > 0 ? `<h2>Failures</h2>\n${failures.map(failureOf).join('\n')}` : ''}
${report.warnings.length > 0 ? `<h2>Warnings</h2>\n<ul>${report.warnings.map((warning) => `<li>${escaped(warning)}</li>`).join('')}</ul>` : ''}
<h2>Records</h2>
<p>${report.removed} of the records that the kit created are removed. These stay:</p>
<ul>${report.left.map(({ kind, id, why }) => `<li>${kind} <code>${escaped(id)}</code>: ${escaped(why)}</li>`).join('') || '<li>none</li>'}</ul>
<h2>Gaps of the interface</h2>
<table>
<thead><tr><th>The interface</th><th>State</th><th>Matricula</th><th>Checks</th></tr></thead>
<tbody>
${gaps.map((gap) => `<tr><td>${escaped(gap.shown)}</td><td>${gap.state}</td><td>${escaped(gap.says)}</td><td>${report.results.filter(({ check }) => check.gap === gap.id).length}</td></tr>`).join('\n')}
</tbody>
</table>
<h2>Checks</h2>
<table>
<thead><tr><th>Check</th><th>Level</th><th>Row</th><th>Result</th></tr></thead>
<tbody>
${report.results.map(({ check, state, why }) => `<tr><td>${escaped(check.id)}</td><td>${check.level}</td><td>${escaped(check.row)}</td><td class="${state}">${state}${why ? `: ${escaped(why)}` : ''}</td></tr>`).join('\n')}
</tbody>
</table>
</body>
</html>
`
}

function failureOf({ check, expected = '', actual = '', curl }: Result): string {
  return `<h3 class="failed">${escaped(check.id)}</h3>
<table><tbody>
<tr><th>Row</th><td>${escaped(check.row)}</td></tr>
<tr><th>Level</th><td>${check.level}${check.gap ? `, gap ${check.gap}` : ''}</td></tr>
<tr><th>Expected</th><td>${escaped(expected)}</td></tr>
<tr><th>Actual</th><td>${escaped(actual)}</td></tr>
</tbody></table>
${curl ? `<pre>${escaped(curl)}</pre>` : ''}`
}
