/** Marks the form of a member of a response. */
export const formKeyword = 'x-form'

const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const instant = `${day}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]+Z`

/**
 * Forms of values that the type of a member does not show. They are for the OpenAPI document: serialisers know `format` and
 * would become slower.
 */
export const forms = {
  int64: { format: 'int64' },
  timestamp: { pattern: `^(${day} [0-9]{2}:[0-9]{2}:[0-9]{2})?$` },
  instant: { format: 'date-time' },
  instantOrEmpty: { pattern: `^(${instant})?$` },
  day: { pattern: `^(${day})?$` },
  month: { pattern: '^[0-9]{4}-[0-9]{2}$' },
} as const

export type Form = keyof typeof forms

/** The greatest integer of generated clients that see no format. */
export const maxInt32 = 2_147_483_647
