import { readNetworks } from '../access/client-address.ts'
import { type Setting, wholeNumber } from './setting.ts'

/** Settings of logs, metrics and traces. */
export const observationSettings = {
  MATRICULA_SLOW_CALL_MS: {
    default: '1000',
    meaning:
      'Calls that take at least this long are logged with the parts of their time, without waits for events that the caller asked for; 0 logs none',
    ...wholeNumber(0, 600_000),
  },
  MATRICULA_SERVER_TIMING: {
    default: '',
    defaultShown: 'nobody',
    meaning:
      'Networks of operators, separated by commas: responses to them have the header Server-Timing with the parts of their time',
    right: 'IP addresses and networks such as 127.0.0.1, 10.0.0.0/8, ::1, separated by commas',
    read: readNetworkList,
  },
  MATRICULA_METRICS_SCHOOLS: {
    default: '100',
    meaning:
      'Schools have metrics of their own (calls, rows, bytes) if there are at most this many, so that the number of time series stays bounded; 0: none has',
    ...wholeNumber(0, 10_000),
  },
} as const satisfies Record<string, Setting<unknown>>

function readNetworkList(text: string): string[] | undefined {
  if (text.trim() === '') return []
  const networks = text.split(',').map((each) => each.trim())
  return readNetworks(networks) ? networks : undefined
}
