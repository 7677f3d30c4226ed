import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import newman from 'newman'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { administration, endpoints } from '../../src/endpoints.ts'
import { type Stage, setStage } from '../conformance/stage.ts'
import { validInput } from '../conformance/valid-inputs.ts'
import { testKeyring } from '../harness/keyring.ts'

const operations = [...endpoints, ...administration]
const folder = join(import.meta.dirname, '../../docs/collections')

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage?.server.close())

test('each collection has a valid and an invalid request of every operation, in under 500 kB', async () => {
  for (const [file, items] of [
    ['matricula.postman.json', 'item'],
    ['matricula.bruno.json', 'items'],
  ] as const) {
    const text = await readFile(join(folder, file), 'utf8')
    expect(text.length).toBeLessThan(500_000)
    const requests = JSON.parse(text)[items].flatMap((group: Record<string, unknown>) => group[items])
    const names = requests.map(({ name }: { name: string }) => name)
    expect(names).toHaveLength(2 * operations.length)
    expect(names.filter((name: string) => /: \d{5}$/.test(name))).toHaveLength(operations.length)
  }
})

test('newman runs every request of the Postman collection against a live server', async () => {
  const collection = JSON.parse(await readFile(join(folder, 'matricula.postman.json'), 'utf8'))
  const { server, school } = stage
  const { corp_id } = school
  const permissions = ['read', 'write', 'finance', 'admin']
  const { app_id, user_api_secret } = await createAccount(
    server.database.owner,
    testKeyring,
    { name: 'Collection', corp_ids: [corp_id], permissions },
    new Date(),
  )
  // Sets the records of each request, as a user of the collection does.
  const bySummary = new Map(operations.map((operation) => [operation.summary, operation]))
  for (const group of collection.item)
    for (const item of group.item) {
      const operation = bySummary.get(item.name)
      if (operation) item.event = [settingRecords(operation)]
    }
  const environment = {
    values: Object.entries({ base_url: server.url, corp_id, app_id, secret: user_api_secret }).map(
      ([key, value]) => ({ key, value, enabled: true }),
    ),
  }
  const { run } = await new Promise<Parameters<Parameters<typeof newman.run>[1]>[1]>((resolve, reject) =>
    newman.run({ collection, environment, reporters: [] }, (error, summary) =>
      error ? reject(error) : resolve(summary),
    ),
  )
  const names = collection.item.flatMap((group: { item: { name: string }[] }) =>
    group.item.map(({ name }) => name),
  )
  // The request of the token is an execution, too.
  expect(new Set(run.executions.map(({ item }) => item.name))).toEqual(new Set(names))
  const refused = run.executions.filter(
    ({ assertions = [] }) => assertions.length === 0 || assertions.some(({ error }) => error),
  )
  const unexpected = refused
    .map(({ item, response }) => ({ name: item.name, code: JSON.parse(response!.text()).code as number }))
    .filter(({ name, code }) => stateful[name] !== code)
  expect(unexpected).toEqual([])
})

/** Valid requests that fail at this school because of other requests of the run, or amounts of the example. */
const stateful: Record<string, number> = {
  'Set the mobile number of a user': 40901,
  'Move received money to another order': 40904,
  'Move a payment to an order in another currency': 40002,
  'Send a payment request by mail': 40451,
  'Record one receipt over several orders': 40002,
  'Import an uploaded statement file': 40002,
  'Match statement lines by hand, or book them': 40002,
  'Issue a receipt, invoice or credit note': 40406,
  // The person owes money and is not erased.
  ...{ 'Erase a user': 40904, 'Erase a payer': 40904, 'Lift the erasure of a person': 40429 },
  // The request before removed the endpoint.
  ...{ 'List deliveries of a webhook endpoint': 40471, 'Deliver events again': 40471 },
  'Fetch a delivery with its attempts': 40472,
}

/** Sets the variables of ids to records that the operation takes. */
function settingRecords(operation: Endpoint) {
  const ids = Object.entries(validInput(operation, stage.school)).flatMap(
    ([name, value]): [string, unknown][] =>
      Array.isArray(value) ? [[name.replace(/s$/, ''), value[0]]] : [[name, value]],
  )
  const lines = ids
    .filter(
      ([name, value]) =>
        /_id$/.test(name) && typeof value === 'string' && !['corp_id', 'app_id'].includes(name),
    )
    .map(([name, value]) => `pm.variables.set('${name}', ${JSON.stringify(value)})`)
  return { listen: 'prerequest', script: { type: 'text/javascript', exec: lines } }
}
