import { Checkbox, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/use-action.ts'
import { inCurrency } from '../../parts/amount-text.ts'
import { MoneyInput } from '../../parts/money-input.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { Course } from './courses-tab.tsx'

/** Makes a course, or changes one; orders keep the copy that they took of it. */
export function CourseDialog({ course, onClose }: { course: Course | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { organization } = useSession()
  const { run } = useAction('upsertCourse')
  const [name, setName] = useState(course?.name ?? '')
  const [code, setCode] = useState(course?.course_code ?? '')
  const [faculty, setFaculty] = useState(course?.school_name ?? '')
  const [currency, setCurrency] = useState(course?.currency ?? organization.currency)
  const [price, setPrice] = useState<number | undefined>(course?.listed_price)
  const [start, setStart] = useState(course?.start_time.slice(0, 10) ?? '')
  const [end, setEnd] = useState(course?.end_time.slice(0, 10) ?? '')
  const [isActive, setActive] = useState(course?.is_active ?? true)

  /** While it is typed, the one of the school. */
  const shown = (typed: string) => (/^[A-Z]{3}$/.test(typed) ? typed : organization.currency)

  const act = async () => {
    await run({
      ...(course ? { course_id: course.course_id, version: course.version } : {}),
      ...{
        course_code: code,
        name,
        school_name: faculty,
        currency,
        listed_price: price,
        is_active: isActive,
      },
      ...(start !== (course?.start_time.slice(0, 10) ?? '') && { start_time: start }),
      ...(end !== (course?.end_time.slice(0, 10) ?? '') && { end_time: end }),
    })
    return { said: t('offerings.courseSaved', { name }) }
  }
  return (
    <PreviewDialog
      title={t(course ? 'offerings.editCourse' : 'offerings.addCourse')}
      confirmLabel={t('common.save')}
      isIncomplete={name.trim() === '' || code.trim() === '' || price === undefined}
      onClose={onClose}
      act={act}
    >
      <TextInput
        label={t('offerings.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <Group grow>
        <TextInput
          label={t('offerings.code')}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          required
        />
        <TextInput
          label={t('offerings.faculty')}
          value={faculty}
          onChange={(event) => setFaculty(event.currentTarget.value)}
        />
      </Group>
      <Group grow align="flex-start">
        <TextInput
          label={t('offerings.currency')}
          value={currency}
          maxLength={3}
          onChange={(event) => {
            const next = event.currentTarget.value.toUpperCase()
            setPrice(inCurrency(price, shown(currency), shown(next)))
            setCurrency(next)
          }}
          required
        />
        <MoneyInput
          key={currency}
          label={t('offerings.listedPrice')}
          currency={shown(currency)}
          amount={price}
          onAmount={setPrice}
          required
        />
      </Group>
      <Group grow>
        <TextInput
          label={t('offerings.starts')}
          type="date"
          value={start}
          onChange={(event) => setStart(event.currentTarget.value)}
        />
        <TextInput
          label={t('offerings.ends')}
          type="date"
          value={end}
          onChange={(event) => setEnd(event.currentTarget.value)}
        />
      </Group>
      <Checkbox
        label={t('offerings.acceptsOrders')}
        checked={isActive}
        onChange={(event) => setActive(event.currentTarget.checked)}
      />
      {course && (
        <Text size="xs" c="dimmed">
          {t('offerings.ordersKeep')}
        </Text>
      )}
    </PreviewDialog>
  )
}
