import { readFile, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { masterKeyFile } from '../access/organizations/master-key.ts'
import { readBackup } from '../backup/backup-folder.ts'
import { readContinued } from '../backup/continued-backup.ts'
import type { Config } from '../config.ts'
import { serviceVersion } from '../contract/service-version.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Findings that need no database. */
export async function checkMachine(config: Config, now: Date): Promise<Finding[]> {
  const isEmbedded = config.databaseUrl === undefined
  const findings = await Promise.all([
    ...(isEmbedded ? [checkDisk('disk', config.dataDir), checkKeyFile(config.dataDir)] : []),
    ...(isEmbedded ? [checkBackup(config.dataDir, now)] : []),
    checkDisk('disk of temporary files', tmpdir()),
    checkOpenFiles(),
    checkPublicUrl(config.publicUrl),
  ])
  return [...checkSettings(config), ...findings.filter((each) => each !== undefined)]
}

function checkSettings({ unknownSettings, publicUrl, trustProxy, host }: Config): Finding[] {
  const findings: Finding[] = []
  if (unknownSettings.length > 0)
    findings.push(
      warning(
        'settings',
        `No settings of this version: ${unknownSettings.join(', ')}.`,
        'Remove them, or correct their names.',
      ),
    )
  const isBehindProxy = publicUrl?.protocol === 'https:'
  const isEverywhere = host === '0.0.0.0' || host === '::'
  if (isBehindProxy && trustProxy === 0)
    findings.push(
      warning(
        'proxy',
        'MATRICULA_PUBLIC_URL names a proxy, and X-Forwarded-For is not believed: all callers count as one.',
        'Set MATRICULA_TRUST_PROXY to the number of proxies, or to their networks.',
      ),
    )
  else if (typeof trustProxy === 'number' && trustProxy > 0 && isEverywhere)
    findings.push(
      warning(
        'proxy',
        `The server listens on ${host}: a caller who reaches it without the proxy can forge X-Forwarded-For.`,
        'Set HOST to an address that only the proxy reaches, or MATRICULA_TRUST_PROXY to the networks of the proxies.',
      ),
    )
  else findings.push(ok('proxy', 'The settings for proxies agree with each other.'))
  return findings
}

const gigabyte = 1_000_000_000

/** PostgreSQL needs room for its log; a full disk ends every write. */
async function checkDisk(check: string, folder: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const [free, share] = [bavail * bsize, bavail / blocks]
  const said = `${(free / gigabyte).toFixed(1)} GB (${Math.floor(share * 100)} %) are free for ${folder}.`
  const fix = 'Free space, or move the folder to a larger disk.'
  if (free < gigabyte / 5) return problem(check, said, fix)
  return free < 2 * gigabyte || share < 0.05 ? warning(check, said, fix) : ok(check, said)
}

async function checkKeyFile(dataDir: string): Promise<Finding | undefined> {
  const file = masterKeyFile(dataDir)
  const found = await stat(file).catch(() => undefined)
  if (!found || (found.mode & 0o077) === 0) return undefined
  return warning('key file', `Other users may read ${file}.`, `chmod 600 ${file}`)
}

const dayMs = 86_400_000

async function checkBackup(dataDir: string, now: Date): Promise<Finding> {
  const fix = 'matricula backup <folder on another disk> --keep 14, every day.'
  const continued = await readContinued(dataDir)
  if (!continued) return warning('backup', 'No backup is continued.', fix)
  try {
    const { folder, through } = await readBackup(continued.folder)
    const said = `The backup ${folder} reaches until ${through}.`
    return now.getTime() - Date.parse(through) > dayMs ? warning('backup', said, fix) : ok('backup', said)
  } catch {
    return problem('backup', `The backup ${continued.folder} cannot be read.`, fix)
  }
}

/** Each connection of a caller or to the database uses a file descriptor. */
const fewFiles = 4096

async function checkOpenFiles(): Promise<Finding | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, limit] = /^Max open files +(\d+|unlimited)/m.exec(limits) ?? []
  if (limit === undefined) return undefined
  const said = `A process may open ${limit} files.`
  return Number(limit) < fewFiles
    ? warning('open files', said, 'LimitNOFILE=65536 in the unit of systemd, or ulimit -n 65536.')
    : ok('open files', said)
}

/** Whether browsers and proxies reach a server of this version at the public address. */
async function checkPublicUrl(url: URL | undefined): Promise<Finding | undefined> {
  if (!url) return undefined
  const check = 'public address'
  const fix = 'Check the name, the certificate and the address that the proxy passes requests to.'
  try {
    const answer = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(5000) })
    const version = answer.headers.get('x-service-version')
    if (version === null || !answer.ok)
      return warning(check, `${url.origin} answers ${answer.status}, but not as this service.`, fix)
    return version === serviceVersion
      ? ok(check, `${url.origin} answers with this version.`)
      : warning(
          check,
          `${url.origin} answers with ${version}, and this is ${serviceVersion}.`,
          'Replace the servers of the older version.',
        )
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error }
    return warning(check, `${url.origin} does not answer: ${cause?.message ?? message}.`, fix)
  }
}
