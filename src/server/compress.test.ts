import { get } from 'node:http'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { createUser } from '../people/users/create-user.ts'
import { listUsers } from '../people/users/list-users.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  for (let n = 0; n < 20; n++)
    await school.call(createUser, { email: `${n}@example.com`, name: `学员 ${n} Müller` })
})
afterAll(() => server.close())

interface Answer {
  encoding: string | undefined
  vary: string | undefined
  bytes: Buffer
  length: number
}

/** A client of its own: fetch would decompress. */
async function listed(accepted: string | undefined, pageSize: number): Promise<Answer> {
  const url = new URL(`${server.url}${listUsers.path}`)
  url.search = new URLSearchParams({ corp_id: school.corp_id, page_size: String(pageSize) }).toString()
  const headers = {
    authorization: `Bearer ${school.token}`,
    ...(accepted !== undefined && { 'accept-encoding': accepted }),
  }
  return new Promise((resolve, reject) => {
    get(url, { headers }, async (response) => {
      const bytes = Buffer.concat(await Array.fromAsync(response))
      resolve({
        encoding: response.headers['content-encoding'],
        vary: response.headers.vary,
        bytes,
        length: Number(response.headers['content-length']),
      })
    }).on('error', reject)
  })
}

test.each([
  ['zstd', 'zstd', zstdDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
  ['gzip;q=1.0, zstd;q=0', 'gzip', gunzipSync],
])(
  'a long response to a client that accepts %s is the same after decompression',
  async (accepted, encoding, decompress) => {
    const plain = await listed(undefined, 20)
    const answer = await listed(accepted, 20)
    expect(answer).toMatchObject({ encoding, vary: 'Accept-Encoding', length: answer.bytes.length })
    expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 3)
    expect(decompress(answer.bytes).toString()).toBe(plain.bytes.toString())
  },
)

test.each([undefined, 'identity', 'br', 'gzip;q=0, zstd;q=0', 'nonsense,,;'])(
  'a client that accepts %s gets it as it is',
  async (accepted) => {
    const { encoding, bytes, vary } = await listed(accepted, 20)
    expect([encoding, vary]).toEqual([undefined, 'Accept-Encoding'])
    expect(JSON.parse(bytes.toString()).data.list).toHaveLength(20)
  },
)

test('a short response is never compressed', async () => {
  const { encoding, vary } = await listed('zstd', 1)
  expect([encoding, vary]).toEqual([undefined, undefined])
})
