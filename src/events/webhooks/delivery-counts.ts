/** Figures of deliveries for the metrics. Labels hold no personal data. */
export interface DeliveryCounts {
  /** Counts an attempt by its outcome: delivered, or the problem. */
  add(outcome: string): void
  /** The events that an endpoint has not come to. */
  setLag(endpoint_id: string, events: number): void
  /** Attempts by outcome. */
  outcomes(): { outcome: string; count: number }[]
  /** The endpoints that are furthest behind. */
  lags(): { endpoint_id: string; events: number }[]
}

/** Endpoints that the metrics name. */
const maxNamed = 100
/** Endpoints that are remembered; beyond, those without a lag are forgotten. */
const maxKept = 10_000

export function createDeliveryCounts(): DeliveryCounts {
  const counts = new Map<string, number>()
  const lags = new Map<string, number>()
  return {
    add: (outcome) => void counts.set(outcome, (counts.get(outcome) ?? 0) + 1),
    setLag(endpoint_id, events) {
      if (events > 0 || lags.has(endpoint_id) || lags.size < maxKept) lags.set(endpoint_id, events)
    },
    outcomes: () => [...counts].map(([outcome, count]) => ({ outcome, count })),
    lags: () =>
      [...lags]
        .map(([endpoint_id, events]) => ({ endpoint_id, events }))
        .sort((a, b) => b.events - a.events)
        .slice(0, maxNamed),
  }
}
