import { outboundProblems } from '../../access/outbound/outbound-error.ts'

/** Why an attempt failed. Error texts of sockets are never shown. */
const deliveryProblems = {
  ...outboundProblems,
  address: 'The address of the endpoint is not allowed.',
  timeout: 'The receiver did not respond within 15 seconds.',
  redirect: 'The receiver redirects to another address, which is not followed.',
  refusal: 'The receiver answered with another status than 2xx.',
  event_deleted: 'The event was deleted for its age.',
} as const

export type DeliveryProblem = keyof typeof deliveryProblems
export const deliveryProblemNames = Object.keys(deliveryProblems) as DeliveryProblem[]
