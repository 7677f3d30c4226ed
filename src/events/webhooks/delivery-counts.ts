/** Figures of deliveries for the metrics. Labels hold no personal data. */
export interface DeliveryCounts {
  /** Counts an attempt by its outcome: delivered, or the problem. */
  add(outcome: string): void
  /** The events after the cursor of an endpoint. */
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

/** The figures as Prometheus reads them. */
export function deliveryMetrics(counts: DeliveryCounts): string {
  const attempts = 'matricula_webhook_attempts_total'
  const lag = 'matricula_webhook_lag_events'
  return [
    `# HELP ${attempts} Attempts to deliver an event to a webhook, by outcome`,
    `# TYPE ${attempts} counter`,
    ...counts.outcomes().map(({ outcome, count }) => `${attempts}{outcome="${outcome}"} ${count}`),
    `# HELP ${lag} Events that a webhook endpoint has not come to, of the ${maxNamed} endpoints furthest behind`,
    `# TYPE ${lag} gauge`,
    ...counts.lags().map(({ endpoint_id, events }) => `${lag}{endpoint_id="${endpoint_id}"} ${events}`),
    '',
  ].join('\n')
}
