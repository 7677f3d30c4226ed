import { join } from 'node:path'
import type { StoredSample } from '../sample/first-start.ts'

export interface Announcement {
  baseUrl: string
  sample: StoredSample | undefined
  /** Signs in to the sample school, once. Only on the first start. */
  signInLink: string | undefined
  /** Only with the embedded database. */
  dataDir: string | undefined
}

/** Prints the addresses of a server that is ready. */
export function announce({ baseUrl, sample, signInLink, dataDir }: Announcement): void {
  const lines = ['', 'Matricula is ready.', '', `  Console  ${baseUrl}/`]
  lines.push(`  API      ${baseUrl}/api/v5/`, `  Docs     ${baseUrl}/docs`)
  if (dataDir) lines.push(`  Data     ${dataDir}`)
  if (sample && dataDir) lines.push(`  Sample   credentials in ${join(dataDir, 'sample.json')}`)
  if (sample && signInLink) {
    lines.push('', 'A sample school has been loaded. This link signs you in, once:', '', `  ${signInLink}`)
    lines.push('', 'Its account for programs:', '', ...credentialsOf(sample))
    lines.push('', 'Paste this to obtain a token and list orders:', '', firstCall(sample))
  }
  lines.push('', 'Stop with Ctrl-C.', '')
  process.stdout.write(`${lines.join('\n')}\n`)
}

function credentialsOf(sample: StoredSample): string[] {
  return [
    `  corp_id  ${sample.corp_id}`,
    `  app_id   ${sample.app_id}`,
    `  secret   ${sample.user_api_secret}`,
  ]
}

/** One line for any POSIX shell; Linux and macOS name their SHA-256 tool differently. */
function firstCall({ base_url, corp_id, app_id, user_api_secret }: StoredSample): string {
  return [
    `APP=${app_id} SECRET=${user_api_secret} TS=$(date +%s)`,
    `SIG=$(printf %s "$APP$TS$SECRET" | { sha256sum 2>/dev/null || shasum -a 256; } | cut -d' ' -f1)`,
    `TOKEN=$(curl -s ${base_url}/api/v5/authentication/token -H 'Content-Type: application/json' ` +
      `-d "{\\"app_id\\":\\"$APP\\",\\"time_stamp\\":\\"$TS\\",\\"signature\\":\\"$SIG\\"}" | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s "${base_url}/api/v5/entity/order/list?corp_id=${corp_id}&page_size=2" -H "Authorization: Bearer $TOKEN"`,
  ].join('; ')
}
