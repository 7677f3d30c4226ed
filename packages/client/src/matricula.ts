import type { MatriculaOptions } from './call-options.ts'
import { Caller } from './caller.ts'
import { type FollowOptions, follow } from './follow.ts'
import { type Groups, operations } from './generated/operations.ts'
import type { Event, Organization } from './generated/types.ts'
import { iterate } from './iterate.ts'
import { LocalTime } from './local-time.ts'
import { operationOf, type Table } from './operation.ts'

interface Feed {
  /**
   * Follows the event feed: the handler gets each page of events, and the cursor is saved after it. Ends with the signal, or
   * with a failure of the handler.
   */
  follow(options: FollowOptions, handler: (events: Event[]) => unknown): Promise<void>
}

export interface Matricula extends Omit<Groups, 'events'> {
  readonly events: Groups['events'] & Feed
}

/** The organization, and its times. */
export interface School extends Organization {
  /** A time of a record with the zone of the organization; undefined for an empty one. */
  time(text: string): LocalTime | undefined
}

/** A client of one organization. It has a method for each operation: `m.orders.list()`, `m.leads.import({ … })`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor makes the members from the table of operations.
export class Matricula {
  #school: Promise<School> | undefined

  constructor(options: MatriculaOptions) {
    const caller = new Caller(options)
    const groups: Record<string, Record<string, unknown>> = {}
    for (const [group, methods] of Object.entries(operations as Table)) {
      const made: Record<string, unknown> = {}
      groups[group] = made
      for (const [method, entry] of Object.entries(methods)) {
        const operation = operationOf(`${group}.${method}`, entry)
        const call = caller.call.bind(caller, operation)
        made[method] = call
        if (operation.paging)
          made[iteratorNameOf(method)] = iterate(operation.name, operation.paging, call, (each) =>
            caller.warn(each),
          )
      }
    }
    Object.assign(this, groups)
    Object.assign(this.events, { follow: follow.bind(undefined, this.events) })
  }

  /** The organization, fetched once. */
  school(): Promise<School> {
    this.#school ??= this.organization.fetch().then(
      (organization) => ({
        ...organization,
        time: (text) => (text === '' ? undefined : new LocalTime(text, organization.time_zone)),
      }),
      (error: unknown) => {
        this.#school = undefined
        throw error
      },
    )
    return this.#school
  }
}

/** `list` has `iterate`, `listMoney` has `iterateMoney`, `search` has `iterateSearch`. */
function iteratorNameOf(method: string): string {
  const rest = method.replace(/^list/, '')
  return `iterate${rest.slice(0, 1).toUpperCase()}${rest.slice(1)}`
}
