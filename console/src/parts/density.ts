import { useSyncExternalStore } from 'react'
import { localSetting } from '../app/local-setting.ts'

export const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]

const keeper = localSetting('density')
const listeners = new Set<() => void>()
let chosen: Density = keeper.read() === 'compact' ? 'compact' : 'comfortable'

/** The height of the rows of all tables. */
export function useDensity(): Density {
  return useSyncExternalStore(listen, () => chosen)
}

export function chooseDensity(density: Density): void {
  chosen = density
  keeper.write(density)
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
