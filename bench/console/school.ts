import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOrganizations } from '../../src/access/organizations/organization-store.ts'
import { inviteStaff } from '../../src/access/staff/manage-staff.ts'
import { beginSession } from '../../src/access/staff/sessions.ts'
import { newId } from '../../src/contract/new-id.ts'
import { openDatabase, type Queryable } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { type PostgresAddress, startEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts'
import { makeBitmaps } from '../../src/search/facet-bitmap-store.ts'
import { type GeneratedSchool, generateSchool, schoolOf, settle } from '../data.ts'
import { copiesFor, multiplySchool, prototypes } from '../multiply.ts'
import { tell } from '../report.ts'
import { type Closer, makeFacets, makeReadModel, settings } from '../stage.ts'

/** A school of as many people as orders, and somebody of its staff who is signed in. */
export interface StaffedSchool extends GeneratedSchool {
  /** The token in the session cookie. */
  session: string
}

/** A large school and a small one in the same database. */
export interface Schools {
  large: StaffedSchool
  small: StaffedSchool
  database: PostgresAddress
  folder: string
}

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
  const open = async (name: string, copies: number): Promise<StaffedSchool> => {
    const corp_id = `bench-console-${name}`
    const people = copies * prototypes
    const isMade = (await findOrganizations(owner.shared, [corp_id])).length > 0
    if (!isMade) await makeSchool(postgres.owner, owner, { corp_id, copies })
    await makeAllBitmaps(owner.of(corp_id), corp_id)
    const school = schoolOf({ corp_id, users: people, orders: people })
    return { ...school, session: await signIn(owner, corp_id) }
  }
  const small = await open('small', 1)
  const large = await open(String(users), copiesFor(users))
  return { large, small, database: postgres.owner, folder }
}

async function makeSchool(
  postgres: PostgresAddress,
  owner: ReturnType<typeof openDatabase>,
  { corp_id, copies }: { corp_id: string; copies: number },
): Promise<void> {
  await generateSchool(postgres, owner, { corp_id, users: prototypes, orders: prototypes })
  await settle(postgres)
  await makeReadModel(owner, corp_id)
  await makeFacets(postgres, corp_id)
  await multiplySchool(postgres, { corp_id, copies })
  await settle(postgres)
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
