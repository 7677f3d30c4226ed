/** The rules that make matches. Clients show them in their language. */
export const matchRules = [
  'charge',
  'foreign_charge',
  'reference',
  'reference_and_amount',
  'refund',
  'payout',
  'gateway_fee',
  'by_hand',
  'booked',
  'transfer',
  'ignored',
] as const

/** The rules that propose matches, for a person to confirm. */
export const proposalRules = ['amount', 'name_and_amount', 'payments_of_day', 'instalment'] as const

export type MatchRule = (typeof matchRules)[number]
export type ProposalRule = (typeof proposalRules)[number]
