// Compares the client with bare fetch against a running server, in alternating rounds: calls per second, and calls per second of CPU
// of this process, which other load of the machine hardly changes. The address and the account come from MATRICULA_URL, MATRICULA_APP_ID, MATRICULA_SECRET and MATRICULA_CORP_ID.
import { Matricula } from '../packages/client/src/index.ts'

const {
  MATRICULA_URL = '',
  MATRICULA_APP_ID = '',
  MATRICULA_SECRET = '',
  MATRICULA_CORP_ID = '',
} = process.env
const rounds = Number(process.env.MATRICULA_BENCH_ROUNDS ?? 60)
const roundMs = 250
const concurrent = 8

const school = {
  baseUrl: MATRICULA_URL,
  appId: MATRICULA_APP_ID,
  secret: MATRICULA_SECRET,
  corpId: MATRICULA_CORP_ID,
}
const m = new Matricula(school)
const [order] = (await m.orders.list({ page_size: 1 })).list
const order_id = order!.entity_id
const Authorization = await currentAuthorization()

/** The token of another client, so that the measured one calls fetch as its users do. */
async function currentAuthorization(): Promise<string> {
  let seen = ''
  const noting = new Matricula({
    ...school,
    fetch(url, init) {
      seen = new Headers(init?.headers).get('authorization') ?? seen
      return fetch(url, init)
    },
  })
  await noting.tokens.verify()
  return seen
}

async function bare(path: string, query: Record<string, string>): Promise<unknown> {
  const url = `${MATRICULA_URL}/api/v5/entity/${path}?${new URLSearchParams({ corp_id: MATRICULA_CORP_ID, ...query })}`
  const response = await fetch(url, { headers: { Authorization } })
  const { code, data } = (await response.json()) as { code: number; data: unknown }
  if (code === 50301 || code === 42901) return bare(path, query)
  if (code !== 0) throw new Error(`${path}: ${code}`)
  return data
}

const works: Record<string, [client: () => Promise<unknown>, bare: () => Promise<unknown>]> = {
  'an order': [() => m.orders.fetch({ order_id }), () => bare('order/fetch', { order_id })],
  'a page of 100 orders': [
    () => m.orders.list({ page_size: 100 }),
    () => bare('order/list', { page_size: '100' }),
  ],
}

interface Rates {
  wall: number
  cpu: number
}

async function measure(call: () => Promise<unknown>): Promise<Rates> {
  const cpu = process.cpuUsage()
  const began = performance.now()
  let calls = 0
  const work = async () => {
    while (performance.now() - began < roundMs) {
      await call()
      calls++
    }
  }
  await Promise.all(Array.from({ length: concurrent }, work))
  const { user, system } = process.cpuUsage(cpu)
  return { wall: (calls * 1000) / (performance.now() - began), cpu: (calls * 1e6) / (user + system) }
}

const median = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1]!

for (const [name, [client, plain]] of Object.entries(works)) {
  await measure(client)
  await measure(plain)
  const pairs: [Rates, Rates][] = []
  for (let round = 0; round < rounds; round++) {
    const isFirst = round % 2 === 0
    const first = await measure(isFirst ? client : plain)
    const second = await measure(isFirst ? plain : client)
    pairs.push(isFirst ? [first, second] : [second, first])
  }
  for (const kind of ['wall', 'cpu'] as const) {
    const [ours, theirs] = [0, 1].map((side) => median(pairs.map((pair) => pair[side]![kind])))
    const ratio = median(pairs.map(([one, other]) => one[kind] / other[kind]))
    console.log(
      `${name}, ${kind}: client ${ours!.toFixed(0)}/s, bare fetch ${theirs!.toFixed(0)}/s, median ratio ${ratio.toFixed(3)}`,
    )
  }
}
