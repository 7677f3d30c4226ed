import type pg from 'pg'
import type { GrantedAccount } from '../../src/access/organizations/account-store.ts'
import type { Organization } from '../../src/contract/caller.ts'
import type { Endpoint, OrganizationEndpoint } from '../../src/contract/endpoint.ts'
import type { Static, TObject, TSchema } from '../../src/contract/type.ts'

export interface PlainCall {
  pool: pg.Pool
  account: GrantedAccount
  organization: Organization
}

export interface PlainRoute {
  endpoint: Endpoint
  handle(call: PlainCall, input: Record<string, unknown>): Promise<unknown>
}

/** An operation of the contract with a plain use case. */
export function plainRoute<I extends TObject, D extends TSchema>(
  endpoint: OrganizationEndpoint<I, D>,
  handle: (call: PlainCall, input: Static<I>) => Promise<unknown>,
): PlainRoute {
  return { endpoint: endpoint as unknown as Endpoint, handle: handle as PlainRoute['handle'] }
}

/** The usual helper: work between begin and commit on one connection. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
