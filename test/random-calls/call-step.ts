import fc from 'fast-check'

/** An operation and its input, and the id of the caller if it is another one. */
export type Call = [operation: unknown, input: object, caller?: string]

const pick = fc.nat(100)

/** The random part of a call: it becomes an input once the records of the history are known. */
export const callStep = <Operation extends string>(operations: Operation[]) =>
  fc.record({
    operation: fc.constantFrom(...operations),
    picks: fc.tuple(pick, pick, pick, pick),
    price: fc.oneof(
      fc.integer({ min: 1, max: 30_000 }),
      fc.constantFrom(1, 5000, 10_000, 999_999_999_999_999),
    ),
    isPartial: fc.boolean(),
    isOther: fc.boolean(),
    status: fc.constantFrom('locked', 'created', 'pending', 'success', 'canceled', 'expired'),
  })

export type CallStep = ReturnType<typeof callStep> extends fc.Arbitrary<infer S> ? S : never
