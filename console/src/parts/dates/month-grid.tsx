import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../languages/language.ts'
import { Icon } from '../icon.tsx'
import { addDays, addMonths, partsOf, weekdayOf } from './calendar-days.ts'
import classes from './month-grid.module.css'
import { weekdayNames, writeFullDate, writeMonth } from './write-date.ts'

interface MonthGridProps {
  /** The chosen date, or ''. */
  value: string
  /** The present wall time. */
  now: string
  withTime: boolean
  /** `isDone`: nothing is left to choose. */
  onPick(value: string, isDone: boolean): void
}

const times = ['09:00', '10:30', '14:00', '15:30', '17:00', '19:00']
const keySteps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** One month to pick a day from, with the usual days, and the usual times if a time belongs to the date. */
export function MonthGrid({ value, now, withTime, onPick }: MonthGridProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const today = now.slice(0, 10)
  const [at, setAt] = useState(value.slice(0, 10) || today)
  const grid = useRef<HTMLDivElement>(null)
  const byKey = useRef(false)
  // The focus follows the arrow keys into the next month.
  useEffect(() => {
    if (byKey.current) grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus()
    byKey.current = false
  }, [at])
  const first = `${at.slice(0, 8)}01`
  const start = addDays(first, 1 - weekdayOf(first))
  const days = Array.from({ length: 42 }, (_, n) => addDays(start, n))
  const clock = value.slice(11, 16)
  const pickDay = (day: string) => {
    setAt(day)
    if (withTime) onPick(`${day}T${clock || '09:00'}`, false)
    else onPick(day, true)
  }
  const move = (event: KeyboardEvent) => {
    const step = keySteps[event.key]
    const months = { PageUp: -1, PageDown: 1 }[event.key]
    if (step === undefined && months === undefined) return
    event.preventDefault()
    byKey.current = true
    setAt(step === undefined ? addMonths(at, months!) : addDays(at, step))
  }
  const usual: [string, string][] = [
    [t('dates.today'), today],
    [t('dates.tomorrow'), addDays(today, 1)],
    [t('dates.nextMonday'), addDays(today, 8 - weekdayOf(today))],
  ]
  return (
    <Stack gap={6}>
      <Group justify="space-between" wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('dates.monthBefore')}
          onClick={() => setAt(addMonths(first, -1))}
        >
          <Icon name="left" size={14} />
        </ActionIcon>
        <Text size="sm" fw={600} aria-live="polite">
          {writeMonth(at, language)}
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('dates.monthAfter')}
          onClick={() => setAt(addMonths(first, 1))}
        >
          <Icon name="right" size={14} />
        </ActionIcon>
      </Group>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move among the buttons inside. */}
      <div ref={grid} className={classes.grid} onKeyDown={move}>
        {weekdayNames(language).map((name, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: initials repeat.
          <span key={n} className={classes.weekday} aria-hidden>
            {name}
          </span>
        ))}
        {days.map((day) => (
          <button
            key={day}
            type="button"
            className={classes.day}
            data-day={day}
            data-outside={day.slice(0, 7) !== at.slice(0, 7) || undefined}
            tabIndex={day === at ? 0 : -1}
            aria-label={writeFullDate(day, language)}
            aria-current={day === today ? 'date' : undefined}
            aria-pressed={day === value.slice(0, 10)}
            onClick={() => pickDay(day)}
          >
            {partsOf(day)[2]}
          </button>
        ))}
      </div>
      <Group gap={4}>
        {usual.map(([name, day]) => (
          <Button key={name} size="compact-sm" variant="default" onClick={() => pickDay(day)}>
            {name}
          </Button>
        ))}
      </Group>
      {withTime && (
        <Group gap={4} role="group" aria-label={t('dates.time')}>
          {times.map((time) => (
            <Button
              key={time}
              size="compact-sm"
              variant={clock === time ? 'filled' : 'default'}
              onClick={() => onPick(`${value.slice(0, 10) || at}T${time}`, true)}
            >
              {time}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  )
}
