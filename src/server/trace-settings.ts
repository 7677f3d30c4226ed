/** Where and which traces are sent, by the standard settings of OpenTelemetry. */
export interface TraceSettings {
  url: string
  headers: Record<string, string>
  serviceName: string
  /** Attributes of the service, such as deployment.environment. */
  attributes: Record<string, string>
  sampler: SamplerName
  /** The share of traces that samplers with a ratio record. */
  ratio: number
}

export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export type SamplerName = (typeof samplerNames)[number]
