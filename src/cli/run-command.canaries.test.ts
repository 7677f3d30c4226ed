import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Argument, Command, Option } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteAttempts } from '../../test/harness/attempts.ts'
import { canariesIn, canary, canaryFor } from '../../test/harness/canary.ts'
import { callCli } from '../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { readConfig } from '../config.ts'
import { commandNames, program } from './run-command.ts'

let database: TestDatabase
let school: TestLedger
let folder: string
let settings: Record<string, string>

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database, 'UTC', {
    name: canary.name,
    email: canary.email,
    area_code: '86',
    mobile: canary.mobile,
  })
  folder = await mkdtemp(join(tmpdir(), 'matricula-canaries-'))
  await writeFile(join(folder, 'secret'), canary.secret)
  settings = { ...database.settings, MATRICULA_KEY: masterKeyText }
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** All commands by name, without those that take no personal data: serve and console. */
async function leaves(): Promise<[words: string[], command: Command][]> {
  const found: [string[], Command][] = []
  const visit = (words: string[], command: Command) => {
    if (command.commands.length === 0) found.push([words, command])
    for (const child of command.commands) visit([...words, child.name()], child)
  }
  for (const name of commandNames.filter((name) => !['serve', 'console'].includes(name))) {
    const loaded = await program(name, () => readConfig(settings))
    visit([name], loaded.commands.find((command) => command.name() === name)!)
  }
  return found
}

const columns = {
  leads: {
    area_code: '86',
    mobile: canary.mobile,
    email: canary.email,
    name: canary.name,
    company_name: canary.name,
  },
  orders: {
    external_id: 'A-1',
    area_code: '86',
    mobile: canary.mobile,
    name: canary.name,
    currency: 'CNY',
    price: '5',
  },
  finance: {
    transaction_id: 'A-1',
    amount: '5',
    currency: 'CNY',
    date: '2024-01-02',
    payer: canary.name,
  },
}

/** A file with personal data in two rows, one of them valid. */
async function fileFor([group]: string[], count: number): Promise<string> {
  const row = columns[group as keyof typeof columns] ?? columns.leads
  const spoilt = Object.fromEntries(
    Object.keys(row).map((name) => [name, /_id$/.test(name) ? 'A-2' : `${canaryFor(name)}\0`]),
  )
  const file = join(folder, `${count}.ndjson`)
  await writeFile(file, [row, spoilt].map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

/** Options with personal data. Errors may quote ids, codes, dates, choices and files. */
const isPersonal = (name: string) => /^(email|name|reason|actor|issuer|client-id)$/.test(name)

/** Files and folders that commands create. */
const written = new Set(['out', 'to', 'rejects', 'outcomes', 'folder'])

test('no error message of a command contains personal data of its arguments or files', async () => {
  const leaks: string[] = []
  const succeeded = new Set<string>()
  let run = 0

  const soundText = async (words: string[], { argChoices }: Option | Argument, name: string) => {
    if (name === 'file') return fileFor(words, run)
    if (written.has(name)) return join(folder, `${name}-${run}`)
    if (name === 'client-secret-file') return join(folder, 'secret')
    if (name === 'org' || name === 'corp_id') return school.corp_id
    if (name === 'user') return school.user_id
    if (argChoices) return argChoices[0]!
    if (/date|until|as-of/.test(name)) return '2024-01-31'
    return /expires|keep-old/.test(name) ? '7d' : '5'
  }

  const call = async (
    words: string[],
    command: Command,
    options: readonly Option[],
    spoilt?: Option | Argument,
  ) => {
    run++
    const textFor = async (taken: Option | Argument) => {
      const name = taken.name()
      if (isPersonal(name)) return taken === spoilt ? `${canaryFor(name)}\n` : canaryFor(name)
      return taken === spoilt && !written.has(name) ? 'nonsense' : soundText(words, taken, name)
    }
    const args = [...words]
    for (const argument of command.registeredArguments) args.push(await textFor(argument))
    for (const option of options) {
      args.push(option.long!)
      if (option.required) args.push(await textFor(option))
    }
    const { code, stdout, stderr } = await callCli(args, settings)
    // One row of the file is valid, and the other is refused.
    if (code === 0 || /(known_user|create) +1\n/.test(stdout)) succeeded.add(words.join(' '))
    // A success may name its subject: an invitation names the invited person.
    const told = canariesIn(stderr + (code === 0 ? '' : stdout))
    if (told.length > 0) leaks.push(`matricula ${args.join(' ')}: ${stderr || stdout}`)
  }

  const timesSpoilt = new Map<string, number>()
  /** Options of one description share their reader. The first commands that have one represent the others. */
  const isRepresented = ({ flags, description }: Option) => {
    const name = `${flags} ${description}`
    const times = timesSpoilt.get(name) ?? 0
    timesSpoilt.set(name, times + 1)
    return times >= 3
  }

  for (const [words, command] of await leaves()) {
    // The person owes money, and is erased anyway.
    const needed = command.options.filter((option) => option.mandatory || option.long === '--confirm-debt')
    const others = command.options.filter((option) => !option.mandatory && option.required)
    await call(words, command, needed)
    for (const spoilt of command.registeredArguments) await call(words, command, needed, spoilt)
    for (const option of needed) if (!isRepresented(option)) await call(words, command, needed, option)
    for (const option of others)
      if (!isRepresented(option)) await call(words, command, [...needed, option], option)
  }
  noteAttempts('canaries given to commands', run, leaks.length, `${succeeded.size} commands did their work`)
  expect(leaks).toEqual([])
  const expected = [
    ...['staff invite', 'staff reset', 'account create', 'org update', 'privacy export', 'privacy erase'],
    ...['leads import', 'orders import'],
  ]
  expect([...succeeded]).toEqual(expect.arrayContaining(expected))
}, 300_000)
