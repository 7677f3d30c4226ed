import type { Place } from './navigation.tsx'

/** How much waits at each place of the console. */
export function useWaiting(): Partial<Record<Place['name'], number>> {
  return {}
}
