import type { Endpoint, OrganizationContext } from '../contract/endpoint.ts'
import type { Static, TSchema } from '../contract/type.ts'
import { inputValidator } from '../contract/validate.ts'
import { asSurvivor } from '../people/users/as-survivor.ts'
import { contextOf } from './import-command.ts'
import { print } from './output.ts'
import { type Settings, withDatabase, withoutTimeouts } from './session.ts'

/** Options of a command on one organization. */
export interface OperationOptions {
  org: string
  json?: boolean
  [option: string]: string | string[] | boolean | undefined
}

type Show = (json: object, text: string) => void

/** Runs operations of an organization, and prints what they return. */
export async function run(
  settings: Settings,
  { org, json }: OperationOptions,
  work: (context: OrganizationContext, show: Show) => Promise<void>,
): Promise<void> {
  await withDatabase(
    settings,
    async (session) =>
      work(await contextOf(session, org), (answer, text) => print({ json: answer, text }, json)),
    withoutTimeouts,
  )
}

/** Runs an operation with a checked input. The id of a merged user means its survivor, as in the interface. */
export async function call<Data extends TSchema>(
  context: OrganizationContext,
  endpoint: { data: Data; handle: unknown },
  input: object,
): Promise<Static<Data>> {
  const operation = endpoint as unknown as Endpoint
  const given = Object.entries({ corp_id: context.organization.corp_id, ...input })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, operation.method === 'GET' ? String(value) : value])
  const checked = inputValidator(operation)(Object.fromEntries(given))
  const handle = endpoint.handle as (context: OrganizationContext, input: unknown) => Promise<Static<Data>>
  return asSurvivor(context, checked, (input) => handle(context, input))
}
