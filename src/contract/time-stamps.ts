/** Rules for time stamps of token requests, each with its explanation. */
export const timeStampRules = {
  any: 'Any number of at least ten digits, as often as the program sends it.',
  recent: 'The current Unix time, at most ten minutes off; the same time stamp may be sent again.',
  once: 'The current Unix time, at most five minutes off; each signature obtains one token.',
} as const

export type TimeStampRule = keyof typeof timeStampRules

export const timeStampRuleNames = Object.keys(timeStampRules) as TimeStampRule[]
