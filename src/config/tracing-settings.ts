import { type SamplerName, samplerNames, type TraceSettings } from '../server/trace-settings.ts'
import { anyText, type Setting, yesOrNo } from './setting.ts'

/** The standard settings of OpenTelemetry that this service reads. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: undefined,
    meaning:
      'Collector of OpenTelemetry: traces are sent to its path /v1/traces, as OTLP over HTTP with JSON; without it, no traces are recorded',
    right: 'an address such as http://localhost:4318',
    read: readUrl,
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    default: undefined,
    meaning: 'The same, with the whole path',
    right: 'an address such as http://localhost:4318/v1/traces',
    read: readUrl,
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    default: '',
    meaning: 'Headers for the collector, such as its token',
    right: 'pairs such as name=value, separated by commas',
    isSecret: true,
    read: readPairs,
  },
  OTEL_SERVICE_NAME: {
    default: 'matricula',
    meaning: 'Name of this service in traces',
    right: 'a name',
    read: anyText,
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    default: '',
    meaning: 'Attributes of this service in traces, such as deployment.environment=production',
    right: 'pairs such as name=value, separated by commas',
    read: readPairs,
  },
  OTEL_TRACES_SAMPLER: {
    default: 'parentbased_always_on',
    meaning:
      'Which calls are recorded. The parentbased ones follow the decision of a caller that sends traceparent: use traceidratio where callers are not trusted',
    right: `one of ${samplerNames.join(', ')}`,
    read: (text) => samplerNames.find((name): name is SamplerName => name === text),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    default: '1',
    meaning: 'The share of calls that the samplers with a ratio record',
    right: 'a number from 0 to 1',
    read: (text) => (/^(0|1|0?\.[0-9]{1,9}|1\.0+)$/.test(text) ? Number(text) : undefined),
  },
  OTEL_TRACES_EXPORTER: {
    default: 'otlp',
    meaning: 'Whether traces are sent',
    right: 'otlp or none',
    read: (text) => (['otlp', 'none'].includes(text) ? text : undefined),
  },
  OTEL_SDK_DISABLED: {
    default: 'false',
    meaning: 'Whether OpenTelemetry is off in spite of the other settings',
    ...yesOrNo(),
  },
} as const satisfies Record<string, Setting<unknown>>

type Read = <T>(name: keyof typeof tracingSettings) => T

/** Undefined: no traces are recorded. Reads every setting, so that all mistakes are found. */
export function readTracing(read: Read): TraceSettings | undefined {
  const base = read<URL | undefined>('OTEL_EXPORTER_OTLP_ENDPOINT')
  const whole = read<URL | undefined>('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const isWanted = read<string>('OTEL_TRACES_EXPORTER') === 'otlp' && !read<boolean>('OTEL_SDK_DISABLED')
  const others = {
    headers: read<Record<string, string>>('OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: read<string>('OTEL_SERVICE_NAME'),
    attributes: read<Record<string, string>>('OTEL_RESOURCE_ATTRIBUTES'),
    sampler: read<SamplerName>('OTEL_TRACES_SAMPLER'),
    ratio: read<number>('OTEL_TRACES_SAMPLER_ARG'),
  }
  const url = whole?.href ?? (base && `${base.href.replace(/\/$/, '')}/v1/traces`)
  return url !== undefined && isWanted ? { url, ...others } : undefined
}

function readUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined
}

/** Values may be percent-encoded, as the standard says. */
function readPairs(text: string): Record<string, string> | undefined {
  if (text.trim() === '') return {}
  const pairs = text.split(',').map((pair) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair))
  try {
    return Object.fromEntries(pairs.map((pair) => [pair![1]!, decodeURIComponent(pair![2]!)]))
  } catch {
    return undefined
  }
}
