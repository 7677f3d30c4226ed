import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import newman from 'newman'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkEntries } from '../../src/access/audit/link-entries.ts'
import { administration, endpoints } from '../../src/endpoints.ts'
import { addEvents } from '../../src/events/add-events.ts'
import { type SampleSchool, startSampleSchool } from '../support/sample-school.ts'

const operations = [...endpoints, ...administration]
const folder = join(import.meta.dirname, '../../docs/collections')

let school: SampleSchool
beforeAll(async () => {
  school = await startSampleSchool()
})
afterAll(() => school?.server.close())

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

test('newman runs every request of the Postman collection against the sample school', async () => {
  const collection = JSON.parse(await readFile(join(folder, 'matricula.postman.json'), 'utf8'))
  const { server, corp_id } = school
  // Events reach the feed in the background.
  await linkEntries(server.db, corp_id)
  await addEvents(server.db, corp_id)
  const { app_id, user_api_secret } = await school.openAccount()
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
    .filter(({ name, code }) => impossible[name] !== code)
  expect(unexpected).toEqual([])
})

/** Good requests that need more than the sample school has. */
const impossible: Record<string, number> = {
  // Its installation sends no mail.
  'Send a payment request by mail': 40904,
  // A second person decides what the first one asked for.
  'Decline a request of somebody else': 40309,
  // The file is being planned, and the ping delivered, for a moment.
  'Discard a lead file': 40904,
  'Fetch a delivery with its attempts': 40002,
}
