import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createKeyring } from '../../src/access/organizations/keyring.ts'
import { findOrganizations } from '../../src/access/organizations/organization-store.ts'
import { inviteStaff } from '../../src/access/staff/manage-staff.ts'
import { beginSession } from '../../src/access/staff/sessions.ts'
import { newId } from '../../src/contract/new-id.ts'
import { openDatabase, type Queryable } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { pages } from '../../src/database/pages.ts'
import { loadSearchKeys } from '../../src/people/users/search/search-keys.ts'
import { documentOfUser } from '../../src/people/users/search/user-document-store.ts'
import { lockUsersAfter } from '../../src/people/users/user-store.ts'
import { type PostgresAddress, startEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts'
import { makeBitmaps } from '../../src/search/facet-bitmap-store.ts'
import { indexDocuments, indexNext, puttingDocuments } from '../../src/search/search-index-store.ts'
import { type GeneratedSchool, generateSchool, schoolOf, settle } from '../data.ts'
import type { Caller } from '../load.ts'
import { copiesFor, multiplySchool, prototypes } from '../multiply.ts'
import { tell } from '../report.ts'
import { type Closer, makeFacets, makeReadModel, openAccount, settings } from '../stage.ts'

/** A school of as many people as orders, and somebody of its staff who is signed in. */
export interface StaffedSchool extends GeneratedSchool {
  /** The token in the session cookie. */
  session: string
}

/** A large school, a small one, and one whose people all came on one day, in the same database. Each is made when it is opened. */
export interface Schools {
  large(): Promise<StaffedSchool>
  small(): Promise<StaffedSchool>
  day(): Promise<StaffedSchool>
  /** A program that may read and write some of them: programs search whole contacts. */
  programOf(schools: StaffedSchool[]): Promise<Caller>
  database: PostgresAddress
  folder: string
  /** Indexes the search documents of people who were added. */
  indexAdded(corp_id: string): Promise<void>
}

export const masterKey = '07'.repeat(32)
export const largeDay = '2024-11-01'
const peopleOfDay = 150_000

/** Makes the schools, or takes those that `kept` has from a run before. */
export async function openSchools(
  users: number,
  kept: string | undefined,
  closers: Closer[],
): Promise<Schools> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'matricula-bench-')))
  if (!kept) closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    settings: { ...settings, max_wal_size: '4GB', fsync: 'off', full_page_writes: 'off' },
  })
  closers.push(postgres.stop)
  const owner = openDatabase(postgres.owner)
  closers.push(async () => void owner.close())
  await migrate(postgres.owner)
  const open = async (name: string, copies: number, onDay?: string): Promise<StaffedSchool> => {
    const corp_id = `bench-console-${name}`
    const people = copies * prototypes
    const isMade = (await findOrganizations(owner.shared, [corp_id])).length > 0
    if (!isMade) await makeSchool(postgres.owner, owner, { corp_id, copies, onDay })
    await makeAllBitmaps(owner.of(corp_id), corp_id)
    const school = schoolOf({ corp_id, users: people, orders: people })
    return { ...school, session: await signIn(owner, corp_id) }
  }
  const keyring = createKeyring([Buffer.from(masterKey, 'hex')])
  const programOf = (schools: StaffedSchool[]) =>
    openAccount(
      owner,
      keyring,
      schools.map(({ corp_id }) => corp_id),
    )
  const indexAdded = async (corp_id: string) =>
    void (await indexDocuments(owner.of(corp_id), corp_id, loadSearchKeys, { fewest: 1 }))
  return {
    large: () => open(String(users), copiesFor(users)),
    small: () => open('small', 1),
    day: () => open('day', copiesFor(peopleOfDay), largeDay),
    ...{ programOf, database: postgres.owner, folder, indexAdded },
  }
}

async function makeSchool(
  postgres: PostgresAddress,
  owner: ReturnType<typeof openDatabase>,
  { corp_id, copies, onDay }: { corp_id: string; copies: number; onDay: string | undefined },
): Promise<void> {
  await generateSchool(postgres, owner, { corp_id, users: prototypes, orders: prototypes })
  if (onDay !== undefined) await moveToDay(postgres, corp_id, onDay)
  await settle(postgres)
  await makeReadModel(owner, corp_id)
  await makeFacets(postgres, corp_id)
  await multiplySchool(postgres, { corp_id, copies })
  await makeDocuments(owner.of(corp_id), corp_id)
  await settle(postgres)
}

/** As an import of a large file leaves them: all people and leads came within nine hours of a day. */
async function moveToDay(postgres: PostgresAddress, corp_id: string, day: string): Promise<void> {
  const client = new pg.Client({ ...postgres, user: 'postgres' })
  await client.connect()
  for (const table of ['users', 'leads'])
    await client.query(
      `update ${table} set ctime = $2::timestamptz + (hashtext(user_id) & 32767) * interval '1 second' where corp_id = $1`,
      [corp_id, `${day}T00:00:00Z`],
    )
  await client.end()
}

/** Derives and indexes the search documents of all people: copies have other names and contacts. */
async function makeDocuments(on: Queryable, corp_id: string): Promise<void> {
  tell(`${corp_id}: search documents`)
  const read = (after: string) => lockUsersAfter(on, corp_id, after, 5000)
  for await (const users of pages('', read, ({ user_id }) => user_id))
    await on.pipeline(
      puttingDocuments(
        corp_id,
        users.flatMap((user) => documentOfUser(user) ?? []),
      ),
    )
  const indexing = async (tx: Queryable) => indexNext(tx, corp_id, loadSearchKeys)
  while ((await on.transaction(indexing)) > 0);
}

/** Runs the part of maintenance that the lists need. */
async function makeAllBitmaps(on: Queryable, corp_id: string): Promise<void> {
  tell(`${corp_id}: bitmaps`)
  while ((await makeBitmaps(on, corp_id)) > 0);
}

async function signIn(owner: ReturnType<typeof openDatabase>, corp_id: string): Promise<string> {
  const wanted = { staff_id: newId(), corp_id, email: `${newId()}@example.com`, name: 'Bench' }
  const on = owner.of(corp_id)
  const { staff_id } = await inviteStaff(on, { ...wanted, role: 'admin' }, new Date())
  return on.transaction((tx) => beginSession(tx, { corp_id, staff_id }, {}, new Date()))
}
