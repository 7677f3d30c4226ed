import { useEffect } from 'react'
import type { IconName } from './icon.tsx'

/** An action that the command search offers while a record is open. */
export interface RecordCommand {
  id: string
  label: string
  icon: IconName
  /** Its keys, one after the other. */
  keys?: string
  run(): void
}

const offered = new Set<RecordCommand[]>()

/** Offers actions in the command search for as long as the record is on the screen. */
export function useRecordCommands(commands: RecordCommand[]): void {
  useEffect(() => {
    offered.add(commands)
    return () => void offered.delete(commands)
  }, [commands])
}

/** The actions of the record that is open now. */
export const recordCommands = (): RecordCommand[] => [...offered].flat()
