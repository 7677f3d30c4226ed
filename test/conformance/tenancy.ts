import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { bodyOf } from './requests.ts'
import type { Stage } from './stage.ts'
import { parametersOf, recordParameters, validInput } from './valid-inputs.ts'

/** A record of another organization must look missing, even to a caller who may see both. */
export function testForeignRecords(endpoint: Endpoint, stage: Stage): void {
  const names = parametersOf(endpoint).map(({ name }) => name)
  // A batch of a course is named with its course, or not at all. Batches of changes have the same name.
  const isOfCourse = endpoint.id === 'createOrder' || endpoint.id === 'upsertBatch'
  const recordNames = recordParameters.filter(
    (name) => names.includes(name) && !(name === 'batch_id' && isOfCourse),
  )

  test.each(recordNames)('%s of another organization looks exactly like a missing one', async (name) => {
    const input = validInput(endpoint, stage.school)
    const call = (id: string) =>
      stage.server.call(endpoint, { ...input, [name]: id }, { token: stage.tokens.both })
    const foreign = await call(stage.otherSchool[name])
    const missing = await call(newId())
    expect(foreign.status).toBe(isFilter(endpoint, name) ? 200 : 404)
    expect(bodyOf(foreign)).toEqual(bodyOf(missing))
  })
}

/** An import that does not exist has no people: the list is empty. */
function isFilter({ id }: Endpoint, name: string): boolean {
  return name === 'import_id' && (id === 'listUsers' || id === 'searchUsers')
}
