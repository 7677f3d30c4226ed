import { Text, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './editable-text.module.css'

interface EditableTextProps {
  label: string
  value: string
  placeholder?: string
  type?: 'text' | 'email' | 'url'
  isReadOnly?: boolean
  /** If it throws, the field shows the error and keeps its text. */
  save(text: string): Promise<unknown>
}

/** A text edited in place: Enter or blur saves it, Escape cancels. */
export function EditableText({
  label,
  value,
  placeholder,
  type = 'text',
  isReadOnly,
  save,
}: EditableTextProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const stop = () => {
    setTyped(undefined)
    setFault(undefined)
  }
  const keep = async () => {
    if (typed === undefined || isSaving) return
    if (typed.trim() === value) return stop()
    setSaving(true)
    try {
      await save(typed.trim())
      stop()
    } catch (error) {
      setFault((error as Error).message)
    } finally {
      setSaving(false)
    }
  }
  if (typed !== undefined)
    return (
      <TextInput
        size="xs"
        autoFocus
        aria-label={label}
        placeholder={placeholder}
        type={type}
        value={typed}
        error={fault}
        disabled={isSaving}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => void keep()}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Enter') void keep()
          if (event.key === 'Escape') stop()
        }}
      />
    )
  const shown = value || placeholder
  if (isReadOnly) return <Text size="sm">{value || t('common.none')}</Text>
  return (
    <UnstyledButton
      className={classes.text}
      onClick={() => setTyped(value)}
      aria-label={t('people.edit', { label, value: shown || t('common.none') })}
      data-empty={!value || undefined}
    >
      {shown || t('common.none')}
    </UnstyledButton>
  )
}
