import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type DataOf, useCall } from '../../calls/call.ts'
import { locales, useLanguage } from '../../languages/language.ts'
import { AfterHeading } from '../../parts/after-heading.tsx'
import { EmptyState, ErrorNotice } from '../../parts/error-notice.tsx'
import { ScreenHead } from '../../parts/screen-tabs.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { FirstSteps } from './first-steps.tsx'
import { MonthFigures } from './month-figures.tsx'
import { OfficeSections } from './office-sections.tsx'
import { PeopleSections } from './people-sections.tsx'
import classes from './today-screen.module.css'

export type Today = DataOf<'fetchToday'>

/** The day of the signed-in person: the figures of the month, and the tasks with their actions. */
export function TodayScreen() {
  const { t } = useTranslation()
  const language = useLanguage()
  const { time_zone } = useSession().organization
  // Polls: imports finish and leads arrive while the screen is open.
  const { data, error } = useCall('fetchToday', {}, { refetchEveryMs: 15_000, isFreshOnOpening: true })
  const { data: month } = useCall('fetchToday', { figures: true })
  if (error) return <ErrorNotice error={error} />
  if (!data)
    return (
      <>
        <ScreenHead title={t('frame.today')} />
        <Waiting shape="today" />
      </>
    )
  const { figures: _, first_steps, unclaimed, due_soon, ...due } = data
  const total = Object.values(due).reduce((sum, section) => sum + section.total, 0)
  const isQuiet = first_steps.length + total + unclaimed.total + due_soon.total === 0
  const format = { weekday: 'long', day: 'numeric', month: 'long', timeZone: time_zone } as const
  const date = new Intl.DateTimeFormat(locales[language], format).format(new Date())
  return (
    <>
      <ScreenHead title={t('frame.today')} />
      <AfterHeading>
        <Text size="sm" c="dimmed" mt={-8} mb="sm">
          {t('today.summary', { date, total, count: total })}
        </Text>
        {month && month.figures.length > 0 && <MonthFigures figures={month.figures} />}
        <FirstSteps steps={first_steps} />
        {isQuiet && <EmptyState text={t('today.nothing')} icon="check" />}
        <div className={classes.columns}>
          <div>
            <PeopleSections data={data} />
          </div>
          <div>
            <OfficeSections data={data} />
          </div>
        </div>
      </AfterHeading>
    </>
  )
}
