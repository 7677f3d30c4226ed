import { TextInput } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'

export interface DateFieldProps {
  label?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  description?: string
  placeholder?: string
  /** `YYYY-MM-DD`, with `THH:MM` if a time belongs to it; '' for none. */
  value?: string
  onChange?(value: string): void
  /** The value also has a time of day. */
  withTime?: boolean
  /** Where a date without a year belongs: the next call is later, a payment is earlier. */
  leaning?: 'later' | 'earlier'
  required?: boolean
  disabled?: boolean
  error?: ReactNode
  size?: 'xs' | 'sm'
  w?: string
  'data-autofocus'?: boolean
}

const Loaded = lazy(() => import('./dates/typed-date.tsx'))

/**
 * A date in the school's zone and the reader's language, typed or picked from a calendar. It understands words such as
 * "next Monday" and 明天下午三点. Loaded with the first form that has a date.
 */
export function DateField(props: DateFieldProps) {
  const { label, size, w, required } = props
  return (
    <Suspense
      fallback={
        <TextInput
          {...{ label, size, w, required }}
          aria-label={props['aria-label']}
          aria-labelledby={props['aria-labelledby']}
          disabled
          aria-busy
        />
      }
    >
      <Loaded {...props} />
    </Suspense>
  )
}
