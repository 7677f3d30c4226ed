import { ActionIcon, Popover, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useLanguage } from '../../languages/language.ts'
import { readDate } from '../../languages/read-date.ts'
import type { DateFieldProps } from '../date-field.tsx'
import { Icon } from '../icon.tsx'
import { wallTimeOf } from '../zoned-time.ts'
import { MonthGrid } from './month-grid.tsx'
import { writeDate, writeFullDate } from './write-date.ts'

/** The field of a date. While it is typed, the line below shows how the text is understood. */
export default function TypedDate({
  value = '',
  onChange,
  withTime = false,
  leaning,
  ...props
}: DateFieldProps) {
  const { label, size, w, description, placeholder, disabled, required } = props
  const { t } = useTranslation()
  const language = useLanguage()
  const { time_zone } = useSession().organization
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string>()
  // The line below stays after the field is left: a button under it must not move away from the click on it.
  const [wasTyped, setWasTyped] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const now = wallTimeOf(new Date(), time_zone)
  const read = (text: string) => readDate(text, { now, language, withTime, leaning })
  const text = typed ?? (value && writeDate(value, language))
  const isUnclear = typed !== undefined && typed.trim() !== '' && read(typed) === undefined
  const unclear = t(withTime ? 'dates.unclearTime' : 'dates.unclear')
  // Keeps the form from being sent with another date than the field shows.
  useEffect(() => field.current?.setCustomValidity(isUnclear ? unclear : ''), [isUnclear, unclear])
  const pick = (picked: string, isDone: boolean) => {
    setTyped(undefined)
    setWasTyped(false)
    onChange?.(picked)
    if (!isDone) return
    setOpen(false)
    field.current?.focus()
  }
  const understood = wasTyped && value !== '' && !isUnclear
  return (
    <TextInput
      ref={field}
      {...{ label, size, w, placeholder, disabled, required }}
      aria-label={props['aria-label']}
      aria-labelledby={props['aria-labelledby']}
      data-autofocus={props['data-autofocus']}
      description={understood ? writeFullDate(value, language) : description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={isUnclear ? unclear : props.error}
      autoComplete="off"
      value={text}
      onChange={({ currentTarget: { value: entered } }) => {
        setTyped(entered)
        setWasTyped(true)
        onChange?.(read(entered) ?? '')
      }}
      onBlur={() => !isUnclear && setTyped(undefined)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' || !event.altKey) return
        event.preventDefault()
        setOpen(true)
      }}
      rightSection={
        <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus withinPortal>
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={size === 'xs' ? 24 : 28}
              disabled={disabled}
              aria-label={t('dates.pick')}
              onClick={() => setOpen((before) => !before)}
            >
              <Icon name="today" size={14} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown p="xs" aria-label={t('dates.calendar')}>
            <MonthGrid value={value} now={now} withTime={withTime} onPick={pick} />
          </Popover.Dropdown>
        </Popover>
      }
    />
  )
}
