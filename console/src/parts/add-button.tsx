import { Button } from '@mantine/core'
import { Icon } from './icon.tsx'

/** The button that adds a record. */
export function AddButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <Button size="xs" leftSection={<Icon name="add" size={14} />} onClick={onClick}>
      {label}
    </Button>
  )
}
