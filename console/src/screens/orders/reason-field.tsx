import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface ReasonFieldProps {
  value: string
  onChange(text: string): void
  isRequired?: boolean
  /** Whether the dialog begins with it. */
  isFirst?: boolean
}

export function ReasonField({ value, onChange, isRequired, isFirst }: ReasonFieldProps) {
  const { t } = useTranslation()
  return (
    <Textarea
      label={t('fields.reason')}
      autosize
      minRows={1}
      maxRows={4}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      required={isRequired}
      data-autofocus={isFirst || undefined}
    />
  )
}

/** What was typed, if anything was. */
export const textOr = (text: string) => (text.trim() === '' ? undefined : text.trim())
