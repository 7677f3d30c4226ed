/** A point that the interface leaves open. */
export interface Gap {
  id: string
  /** The words of the interface. */
  shown: string
  /** decided: Matricula chose, and checks test the choice. open: nothing is checked. */
  state: 'decided' | 'open'
  /** The decision, or the reason why there is none. */
  says: string
}

/** All gaps of the interface. Checks of the level matricula or feed name the gap that they are about. */
export const gaps: Gap[] = [
  {
    id: 'unit-of-amounts',
    shown: 'Unit of monetary amounts in order records: not shown.',
    state: 'decided',
    says: 'Minor units of the currency in order records, major units in the financial list.',
  },
  {
    id: 'shapes-of-elements',
    shown: 'Shape of elements of sub_orders, remark_list and share_proportion: not shown.',
    state: 'decided',
    says: 'The OpenAPI document has them. The prices of sub_orders add up to the order.',
  },
  {
    id: 'order-types',
    shown: 'Allowed values of order type and order source: not shown.',
    state: 'decided',
    says: 'Six types and five sources.',
  },
  {
    id: 'stored-leads',
    shown: 'Fields of the stored lead record beyond its identifier: not shown.',
    state: 'decided',
    says: 'leads/fetch shows every field as it was imported. A lead fills blanks of its user.',
  },
  {
    id: 'transitions',
    shown: 'Transitions between order statuses: not shown.',
    state: 'open',
    says: 'Decided by Matricula (/docs/orders), but an operation of the interface cannot change an order, so nothing is checked.',
  },
  {
    id: 'pools',
    shown: 'Whether other values are allowed and which moves are restricted: not shown.',
    state: 'decided',
    says: 'Each organization has a list of pools. Another value is 40002.',
  },
  {
    id: 'categories',
    shown: 'Allowed values of category for the tag group list and create operations: not shown.',
    state: 'open',
    says: 'Any text. The kit uses a category of its own.',
  },
  {
    id: 'financial-statuses',
    shown: 'Allowed values of status for the financial list: not shown.',
    state: 'decided',
    says: 'The eight statuses of the order list.',
  },
  {
    id: 'other-page-limits',
    shown: 'The page-size limits of the other list operations: not shown.',
    state: 'decided',
    says: 'As in the order list: page 0, 10 rows, at most 1,000.',
  },
  {
    id: 'rate-limits',
    shown: 'Rate limits: not shown.',
    state: 'open',
    says: 'Decided by Matricula (42901 with Retry-After), but a check would have to make 60,000 calls.',
  },
  {
    id: 'app-id-header',
    shown: 'X-APP-ID: whether it is required: not shown.',
    state: 'open',
    says: 'No check requires it. The interface level sends it once; 40302 for another account is among the failures.',
  },
  {
    id: 'token-renewal',
    shown: 'Token renewal or revocation: not shown.',
    state: 'decided',
    says: 'A client asks for another token. Earlier ones stay valid.',
  },
  {
    id: 'events',
    shown: 'Events, webhooks or notifications: not shown.',
    state: 'decided',
    says: 'The event feed: event/list, event/fetch, event/type/list, event/stream.',
  },
  {
    id: 'failures',
    shown: 'Non-zero code values, the texts of msg on failure, HTTP status codes: not shown.',
    state: 'decided',
    says: 'An HTTP status that fits, a code of that status × 100 and a count, data with request_id and errors.',
  },
  {
    id: 'invalid-parameters',
    shown: 'The behaviour for missing or invalid parameters: not shown.',
    state: 'decided',
    says: '40001 for missing ones, 40002 for invalid ones; data.errors names every one.',
  },
  {
    id: 'versions',
    shown: 'How a client selects or is informed of a version: not shown.',
    state: 'decided',
    says: 'X-Service-Version names the version. A client selects nothing.',
  },
  {
    id: 'types-declared-twice',
    shown: 'Members that are declared with one type and shown with another.',
    state: 'decided',
    says: 'The type that is shown: booleans, objects and integers. application_fee_price: Integer or null.',
  },
  {
    id: 'time-range-default',
    shown: 'Default of time_range_type in the order list: not shown.',
    state: 'decided',
    says: 'create, as in the financial list.',
  },
  {
    id: 'order-of-lists',
    shown: 'The order of rows: not shown.',
    state: 'decided',
    says: 'Ascending by the time that time_range_type names. Tag groups: oldest first.',
  },
  {
    id: 'end-of-range',
    shown: 'Whether end_date belongs to the range: not shown.',
    state: 'decided',
    says: 'It belongs to it as a whole. Either end may be left out.',
  },
  {
    id: 'zone-of-timestamps',
    shown: 'The time zone of timestamps: not shown.',
    state: 'decided',
    says: 'The zone of the organization.',
  },
  {
    id: 'tag-values',
    shown: 'Values of tags whose attribute is number or string: not shown.',
    state: 'decided',
    says: 'They must fit the attribute, and are in number_value and string_value.',
  },
  {
    id: 'repeats',
    shown: 'Whether a call can be repeated safely: not shown.',
    state: 'decided',
    says: 'A POST with an Idempotency-Key has its effect once within 24 hours.',
  },
]
