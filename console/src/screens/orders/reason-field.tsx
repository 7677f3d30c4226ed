import { Textarea, type TextareaProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Takes the properties of a form's field. */
export function ReasonField(props: TextareaProps & { 'data-autofocus'?: boolean }) {
  const { t } = useTranslation()
  const { 'data-autofocus': isFirst, ...field } = props
  return (
    <Textarea
      label={t('fields.reason')}
      autosize
      minRows={1}
      maxRows={4}
      {...field}
      data-autofocus={isFirst || undefined}
    />
  )
}

/** The trimmed text; undefined if there is none. */
export const trimmed = (text: string) => text.trim() || undefined
