import { createFairShare } from '../../contract/limits/fair-share.ts'
import { type ActiveEndpoint, findActiveEndpoints, findAllActiveEndpoints } from './claim-store.ts'
import { EndpointPump, type PumpParts } from './endpoint-pump.ts'

export type DeliveryOptions = Omit<PumpParts, 'places' | 'cut' | 'now' | 'random'> &
  Partial<Pick<PumpParts, 'now' | 'random'>>

const fastPlaces = 256
const slowPlaces = 64

/**
 * Delivers the events of organizations to their endpoints. Any number of servers may do this: a delivery is leased to one
 * process at a time.
 */
export class DeliveryWorker {
  private readonly parts: PumpParts
  private readonly pumps = new Map<string, EndpointPump>()
  private readonly cut = new AbortController()
  private isStopping = false

  constructor(options: DeliveryOptions) {
    const places = {
      fast: createFairShare({ places: fastPlaces }),
      slow: createFairShare({ places: slowPlaces }),
    }
    this.parts = {
      now: () => new Date(),
      random: Math.random,
      ...options,
      places,
      cut: this.cut.signal,
    }
  }

  /** Starts what is due in an organization. */
  async look(corp_id: string): Promise<void> {
    const { db, now } = this.parts
    for (const endpoint of await findActiveEndpoints(db.of(corp_id), corp_id, now()))
      this.start(corp_id, endpoint)
  }

  /** Starts what is due in all organizations. Returns the organizations with enabled endpoints, and whether any was due. */
  async lookAtAll(): Promise<{ corpIds: Set<string>; isBusy: boolean }> {
    const { db, now } = this.parts
    const endpoints = await findAllActiveEndpoints(db.everyOrganization, now())
    for (const { corp_id, ...endpoint } of endpoints) this.start(corp_id, endpoint)
    const corpIds = new Set(endpoints.map(({ corp_id }) => corp_id))
    return { corpIds, isBusy: endpoints.some(({ is_due }) => is_due) }
  }

  private start(corp_id: string, { endpoint_id, is_failing, is_due, lag }: ActiveEndpoint): void {
    this.parts.counts.setLag(endpoint_id, lag)
    if (!is_due || this.isStopping) return
    const pump = this.pumps.get(endpoint_id) ?? this.createPump(corp_id, endpoint_id)
    if (pump.isIdle) pump.isSlow = is_failing
    pump.wake()
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    await Promise.all([...this.pumps.values()].map((pump) => pump.idle()))
  }

  /** Lets requests in flight finish for a time, then cuts them off. The rest is released to other servers. */
  async stop(patienceMs: number): Promise<void> {
    this.isStopping = true
    await Promise.all([...this.pumps.values()].map((pump) => pump.stop()))
    const timer = setTimeout(() => this.cut.abort(new Error('The server stops.')), patienceMs)
    await this.idle()
    clearTimeout(timer)
  }

  private createPump(corp_id: string, endpoint_id: string): EndpointPump {
    for (const [id, pump] of this.pumps) if (pump.isIdle) this.pumps.delete(id)
    const pump = new EndpointPump(corp_id, endpoint_id, this.parts)
    this.pumps.set(endpoint_id, pump)
    return pump
  }
}
