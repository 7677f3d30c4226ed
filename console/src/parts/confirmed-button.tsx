import { Button, type ButtonProps, Text } from '@mantine/core'
import { useState } from 'react'
import { type Done, PreviewDialog } from './preview-dialog.tsx'

interface ConfirmedButtonProps extends ButtonProps {
  /** Label of the button, and title of the dialog. */
  label: string
  /** Says what the action does. */
  text: string
  act(): Promise<Done>
}

/** A button for an action that removes something: a dialog asks first. */
export function ConfirmedButton({ label, text, act, ...button }: ConfirmedButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button size="xs" variant="default" {...button} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <PreviewDialog title={label} isDestructive onClose={() => setAsking(false)} act={act}>
          <Text size="sm">{text}</Text>
        </PreviewDialog>
      )}
    </>
  )
}
