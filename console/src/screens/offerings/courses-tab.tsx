import { Checkbox, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type RowOf, useAction } from '../../calls/call.ts'
import { inCurrency } from '../../parts/amount-text.ts'
import { DateField } from '../../parts/date-field.tsx'
import { EditableList } from '../../parts/editable-list.tsx'
import { Hint } from '../../parts/error-notice.tsx'
import { MoneyInput } from '../../parts/money-input.tsx'
import { dayColumn, moneyColumn } from '../../parts/plain-table.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { activeColumn, activeFilter, isActiveOf } from './active-filter.tsx'

type Course = RowOf<'listCourses'>

export function CoursesTab() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const query = useList('listCourses', address, isActiveOf(address.search))
  const columns = useMemo<Column<Course>[]>(
    () => [
      { id: 'name', title: t('fields.name'), cell: ({ name }) => name },
      { id: 'code', title: t('offerings.code'), cell: ({ course_code }) => course_code },
      { id: 'school', title: t('offerings.faculty'), cell: ({ school_name }) => school_name },
      moneyColumn('price', t('fields.listPrice'), ({ listed_price, currency }) => [listed_price, currency], {
        card: 'value',
      }),
      dayColumn('start', t('offerings.starts'), ({ start_time }) => start_time),
      dayColumn('end', t('offerings.ends'), ({ end_time }) => end_time, { isExtra: true }),
      activeColumn(t),
    ],
    [t],
  )
  return (
    <EditableList
      name="courses"
      label={t('offerings.courses')}
      columns={columns}
      rowId={({ course_id }) => course_id}
      query={query}
      address={address}
      filters={[activeFilter(t)]}
      add={t('offerings.addCourse')}
      isEditable={can('finance')}
      empty={{ text: t('offerings.noCourses'), icon: 'offerings' }}
      dialog={(course, close) => <CourseDialog course={course} onClose={close} />}
    />
  )
}

/** Adds or edits a course. Existing orders keep their copy of it. */
function CourseDialog({ course, onClose }: { course: Course | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { organization } = useSession()
  const { run } = useAction('upsertCourse')
  const days = {
    start_time: course?.start_time.slice(0, 10) ?? '',
    end_time: course?.end_time.slice(0, 10) ?? '',
  }
  const { values, setValues, getInputProps } = useForm({
    initialValues: {
      name: course?.name ?? '',
      course_code: course?.course_code ?? '',
      school_name: course?.school_name ?? '',
      currency: course?.currency ?? organization.currency,
      listed_price: course?.listed_price,
      is_active: course?.is_active ?? true,
      ...days,
    },
  })
  const { start_time, end_time, ...fields } = values
  const { name, course_code, currency, listed_price } = fields
  /** The school's currency while a code is incomplete. */
  const known = (code: string) => (/^[A-Z]{3}$/.test(code) ? code : organization.currency)
  return (
    <PreviewDialog
      title={t(course ? 'offerings.editCourse' : 'offerings.addCourse')}
      confirmLabel={t('common.save')}
      isIncomplete={name.trim() === '' || course_code.trim() === '' || listed_price === undefined}
      onClose={onClose}
      act={async () => {
        await run({
          ...(course && { course_id: course.course_id, version: course.version }),
          ...fields,
          ...(start_time !== days.start_time && { start_time }),
          ...(end_time !== days.end_time && { end_time }),
        })
        return { said: t('common.saved', { name }) }
      }}
    >
      <TextInput label={t('fields.name')} {...getInputProps('name')} required data-autofocus />
      <Group grow>
        <TextInput label={t('offerings.code')} {...getInputProps('course_code')} required />
        <TextInput label={t('offerings.faculty')} {...getInputProps('school_name')} />
      </Group>
      <Group grow align="flex-start">
        <TextInput
          label={t('fields.currency')}
          value={currency}
          maxLength={3}
          onChange={(event) => {
            const next = event.currentTarget.value.toUpperCase()
            setValues({
              currency: next,
              listed_price: inCurrency(listed_price, known(currency), known(next)),
            })
          }}
          required
        />
        <MoneyInput
          key={currency}
          label={t('fields.listPrice')}
          currency={known(currency)}
          {...getInputProps('listed_price')}
          required
        />
      </Group>
      <Group grow>
        <DateField label={t('offerings.starts')} {...getInputProps('start_time')} />
        <DateField label={t('offerings.ends')} {...getInputProps('end_time')} />
      </Group>
      <Checkbox label={t('offerings.acceptsOrders')} {...getInputProps('is_active', { type: 'checkbox' })} />
      {course && <Hint size="xs">{t('offerings.ordersKeep')}</Hint>}
    </PreviewDialog>
  )
}
