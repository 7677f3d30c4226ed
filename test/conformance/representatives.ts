import type { Endpoint } from '../../src/contract/endpoint.ts'
import { attemptsOf } from '../harness/attempts.ts'

/** Number of operations of each kind in `npm test`. `npm run test:long` tests every operation. */
const ofEachKind = attemptsOf('MATRICULA_REPRESENTATIVES', 3)

/**
 * Operations of one kind share the code that reads a request and identifies its caller: the kind is the scope with the
 * method. The first, the last and one in the middle represent it.
 */
export function representativesOf(endpoints: Endpoint[]): Endpoint[] {
  const kinds = Map.groupBy(endpoints, ({ scope, method }) => `${scope} ${method}`)
  return [...kinds.values()].flatMap((kind) => {
    if (kind.length <= ofEachKind) return kind
    const step = (kind.length - 1) / (ofEachKind - 1)
    return Array.from({ length: ofEachKind }, (_, n) => kind[Math.round(n * step)] as Endpoint)
  })
}
