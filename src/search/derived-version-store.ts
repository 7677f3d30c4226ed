import type { Queryable, Surveyor } from '../database/database.ts'
import { type Statement, sql } from '../database/sql.ts'
import { survey } from '../database/survey.ts'

/** The versioned kinds of derived data. `src/derived/derived-data.ts` is their registry. */
export type DerivedName = 'orders' | 'profiles' | 'facets' | 'open_payments' | 'statement_sums'

/** The code that derived data of an organization, and the progress of the code that derives it again. */
export interface DerivedVersion {
  name: DerivedName
  fingerprint: string
  rebuilder: string | null
  position: string | null
}

/**
 * Locks the version of derived data for a batch of its rebuild. Undefined if another server holds it: that server works on
 * it, or a writer of the data commits soon.
 */
export async function lockVersion(
  tx: Queryable,
  corp_id: string,
  name: DerivedName,
): Promise<DerivedVersion | undefined> {
  const [row] = await tx.query<DerivedVersion>(sql`
    select name, fingerprint, rebuilder, position from derived_data_versions
     where corp_id = ${corp_id} and name = ${name} for update skip locked`)
  return row
}

/** Data of an organization that other code derived. */
export interface OutdatedData {
  corp_id: string
  name: DerivedName
  /** The fingerprint of that code. */
  fingerprint: string
}

/** The fingerprint of data that two versions of the service have written. */
export const mixedCode = 'mixed'

/** The fingerprint of data that nobody has noted the code of. */
export const unknownCode = 'unknown'

/** The data of all organizations that other code derived. */
export async function findOutdatedVersions(
  on: Surveyor,
  current: { name: DerivedName; fingerprint: string }[],
): Promise<OutdatedData[]> {
  return on.ask<OutdatedData>(survey`
    select v.corp_id, v.name, v.fingerprint
      from derived_data_versions v
      join unnest(${current.map(({ name }) => name)}::text[], ${current.map(({ fingerprint }) => fingerprint)}::text[])
           as c (name, fingerprint) on c.name = v.name
     where v.fingerprint <> c.fingerprint
     order by v.corp_id, v.name`)
}

/** The names of the versioned data of all organizations. */
export async function findAllVersions(on: Surveyor): Promise<Omit<OutdatedData, 'fingerprint'>[]> {
  return on.ask(survey`select v.corp_id, v.name from derived_data_versions v`)
}

/** Adds versions that do not exist. */
export function addingVersions(
  corp_id: string,
  versions: { name: DerivedName; fingerprint: string }[],
): Statement {
  return sql`
    insert into derived_data_versions (corp_id, name, fingerprint)
    select ${corp_id}, v.name, v.fingerprint
      from unnest(${versions.map(({ name }) => name)}::text[], ${versions.map((version) => version.fingerprint)}::text[])
           as v (name, fingerprint)
    on conflict (corp_id, name) do nothing`
}

export function storingPosition(
  corp_id: string,
  name: DerivedName,
  rebuilder: string,
  position: string,
): Statement {
  return sql`
    update derived_data_versions set rebuilder = ${rebuilder}, position = ${position}
     where corp_id = ${corp_id} and name = ${name}`
}

/** The fingerprints of the code that derived the data of an organization. A kind that was never derived is absent. */
export async function findFingerprints(on: Queryable, corp_id: string): Promise<Map<DerivedName, string>> {
  const rows = await on.query<{ name: DerivedName; fingerprint: string }>(sql`
    select name, fingerprint from derived_data_versions where corp_id = ${corp_id}`)
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]))
}

export function storingFingerprint(corp_id: string, name: DerivedName, fingerprint: string): Statement {
  return sql`
    insert into derived_data_versions (corp_id, name, fingerprint) values (${corp_id}, ${name}, ${fingerprint})
    on conflict (corp_id, name) do update set fingerprint = excluded.fingerprint, rebuilder = null, position = null`
}
