/** A metric as Prometheus reads it. No label holds personal data. */
export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge'
  samples: Sample[]
}

export interface Sample {
  labels?: Record<string, string | number>
  value: number
}

/** The text format of Prometheus. A metric without samples is left out. */
export function metricText(metrics: Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${valueText(value)}`),
        '',
      ].join('\n'),
    )
    .join('')
}

function labelText(labels: Record<string, string | number>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function valueText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
