import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeredId, answeredIds } from '../scripts/collections/answered-ids.ts'
import { linkEntries } from '../src/access/audit/link-entries.ts'
import { integratorOperations } from '../src/endpoints.ts'
import { addEvents } from '../src/events/add-events.ts'
import { openApiDocuments } from '../src/openapi-documents.ts'
import { dereferenced } from './harness/openapi.ts'
import { type SampleSchool, startSampleSchool } from './support/sample-school.ts'

/** Examples that cannot work by pasting them, with the code they lead to and the reason. */
const refused: Record<string, readonly [code: number, reason: string]> = {
  issueToken: [40105, 'the time and the signature are those of the call'],
  mailPaymentRequest: [40904, 'the installation of the sample school sends no mail'],
  declineRequest: [40309, 'a second person decides what the first one asked for'],
  discardLeadFile: [40904, 'the file is being planned for a moment'],
  fetchWebhookDelivery: [40472, 'the delivery follows the ping after a moment'],
}

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into as any reader of JSON would.
const document: any = dereferenced(JSON.parse(JSON.stringify(openApiDocuments['openapi.json']())))

let school: SampleSchool
let token: string
beforeAll(async () => {
  school = await startSampleSchool()
  token = await school.server.tokenOf(await school.openAccount())
})
afterAll(() => school?.server.close())

/** The input of a call as a reader of the document finds it. */
function exampleOf({ path, method }: (typeof integratorOperations)[number]): Record<string, unknown> {
  const { requestBody, parameters } = document.paths[path][method.toLowerCase()]
  if (requestBody) return requestBody.content['application/json'].example
  const shown = parameters.filter(
    (each: { in: string; example?: unknown }) => each.in === 'query' && each.example !== undefined,
  )
  return Object.fromEntries(
    shown.map(({ name, example }: { name: string; example: unknown }) => [name, example]),
  )
}

describe('against the sample school, in the order of the document', () => {
  const answers = new Map<string, Record<string, unknown>>()

  test.each(integratorOperations)('the example of $id works', async (operation) => {
    const { server, corp_id } = school
    const { id } = operation
    const input = { ...exampleOf(operation) }
    for (const [name, source] of Object.entries(answeredIds[id] ?? {}))
      input[name] = answeredId(answers.get(source)!, name) ?? input[name]
    // Events reach the feed in the background.
    if (id === 'listEvents') {
      await linkEntries(server.db, corp_id)
      await addEvents(server.db, corp_id)
    }
    const { code, msg, data } = await server.call(operation, input, {
      token: id === 'issueToken' ? null : token,
    })
    const [wanted] = refused[id] ?? [0]
    if (id === 'discardLeadFile' && code === 0) return
    expect({ code, msg }).toMatchObject({ code: wanted })
    answers.set(id, data)
  })
})

test('only few examples need more than an account and the ids of earlier answers', () => {
  expect(Object.keys(refused)).toHaveLength(5)
  expect(Object.keys(answeredIds).length).toBeLessThanOrEqual(26)
})
