import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { formatPosition, parsePosition, type WalPosition } from './archive-wal.ts'

/** Statements of the superuser of the embedded PostgreSQL. None shows a row of an organization. */

// Any constant that no other lock uses.
const BACKUP_LOCK = 7_281_940_115
const SLOT_PREFIX = 'matricula_backup_'
const OBJECT_IN_USE = '55006'
/** A temporary slot: it ends with the connection, so that a killed backup retains no log. */
const SLOT_WHILE_TAKING = 'matricula_taking_backup'

/** One backup per data folder at a time. The lock ends with the connection. */
export async function takeBackupLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [BACKUP_LOCK])
  return rows[0].taken
}

export interface DatabaseIdentity {
  systemId: string
  major: string
  timeline: number
  segmentBytes: number
}

export async function identify(client: pg.Client): Promise<DatabaseIdentity> {
  const { rows } = await client.query(`
    select (select system_identifier::text from pg_control_system()) as system_id,
           current_setting('server_version_num')::int / 10000 as major,
           left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline,
           (select setting::int from pg_settings where name = 'wal_segment_size') as segment_bytes`)
  const { system_id, major, timeline, segment_bytes } = rows[0]
  return {
    systemId: system_id,
    major: String(major),
    timeline: Number.parseInt(timeline, 16),
    segmentBytes: segment_bytes,
  }
}

/** From here on, PostgreSQL keeps the log until the connection ends, and logs complete pages. */
export async function startBackup(client: pg.Client, label: string): Promise<WalPosition> {
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [SLOT_WHILE_TAKING])
  const { rows } = await client.query('select pg_backup_start($1, true)::text as position', [label])
  return parsePosition(rows[0].position)
}

export interface StoppedBackup {
  position: WalPosition
  label: string
  /** By the clock of the database, like the instants of a restore. */
  at: string
}

export async function stopBackup(client: pg.Client): Promise<StoppedBackup> {
  const { rows } = await client.query(`
    select lsn::text as position, labelfile, spcmapfile, ${instant('clock_timestamp()')} as at
      from pg_backup_stop(false)`)
  const { position, labelfile, spcmapfile, at } = rows[0]
  if (spcmapfile)
    throw new Error('Tables outside the data folder (tablespaces) cannot be backed up this way.')
  return { position: parsePosition(position), label: labelfile, at }
}

/** Retains the log from a position on, while the backup is continued. */
export async function keepSlot(client: pg.Client, id: string, from: WalPosition): Promise<string> {
  const slot = `${SLOT_PREFIX}${id.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}`
  await client.query('select pg_copy_physical_replication_slot($1, $2, false)', [SLOT_WHILE_TAKING, slot])
  await advanceSlot(client, slot, from)
  return slot
}

export async function dropSlotsExcept(client: pg.Client, kept: string | undefined): Promise<void> {
  const { rows } = await client.query(
    'select slot_name from pg_replication_slots where starts_with(slot_name, $1) and slot_name is distinct from $2',
    [SLOT_PREFIX, kept ?? null],
  )
  for (const { slot_name } of rows) await dropSlot(client, slot_name)
}

/** The slot is busy only while another process advances it, which is brief. */
async function dropSlot(client: pg.Client, slot: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await client.query('select pg_drop_replication_slot($1)', [slot])
      return
    } catch (error) {
      if ((error as pg.DatabaseError).code !== OBJECT_IN_USE || attempt === 50) throw error
      await pause(100)
    }
  }
}

export interface WalEnd {
  /** The log before this position is on disk. */
  position: WalPosition
  /** Everything acknowledged before this instant is before the position. */
  at: string
}

export async function findWalEnd(client: pg.Client): Promise<WalEnd> {
  const { rows } = await client.query(
    `with begun as materialized (select clock_timestamp() as at)
     select ${instant('at')} as at, pg_current_wal_flush_lsn()::text as position from begun`,
  )
  return { position: parsePosition(rows[0].position), at: rows[0].at }
}

/** The begin of the retained log; undefined if it is not retained any more. */
export async function findSlot(client: pg.Client, slot: string): Promise<WalPosition | undefined> {
  const { rows } = await client.query(
    `select restart_lsn::text as position from pg_replication_slots
      where slot_name = $1 and wal_status <> 'lost' and restart_lsn is not null`,
    [slot],
  )
  return rows[0] && parsePosition(rows[0].position)
}

export async function advanceSlot(client: pg.Client, slot: string, position: WalPosition): Promise<void> {
  await client.query('select pg_replication_slot_advance($1, $2)', [slot, formatPosition(position)])
}

/** The last change that a recovery has restored; null if the log holds none. */
export async function findLastReplayed(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query(`select ${instant('pg_last_xact_replay_timestamp()')} as at`)
  return rows[0].at
}

/** Reads every page of every table, without indexes, and fails at a page that does not match its checksum. */
export async function readEveryTable(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pg_catalog')`,
  )
  await client.query('begin; set local enable_indexscan = off; set local enable_bitmapscan = off')
  await client.query('set local enable_indexonlyscan = off')
  for (const { name } of rows) await client.query(`select count(*) from ${name}`)
  await client.query('rollback')
}

function instant(expression: string): string {
  return `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}
