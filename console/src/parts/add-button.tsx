import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Search } from '../app/session.tsx'
import { Icon } from './icon.tsx'

interface AddButtonProps {
  label: string
  onClick(): void
  /** The name in the address by which a command presses the button. */
  name?: string
}

/** The button that adds a record. The address of a command presses it once. */
export function AddButton({ label, onClick, name = 'add' }: AddButtonProps) {
  const isAsked = (useSearch({ strict: false }) as Search).do === name
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each command.
  useEffect(() => {
    if (!isAsked) return
    onClick()
    void navigate({
      to: '.',
      search: (before: Search) => ({ ...before, do: undefined }) as never,
      replace: true,
    })
  }, [isAsked])
  return (
    <Button size="xs" leftSection={<Icon name="add" size={14} />} onClick={onClick}>
      {label}
    </Button>
  )
}
