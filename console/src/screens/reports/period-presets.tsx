import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { addMonths, partsOf } from '../../parts/dates/calendar-days.ts'
import type { ListAddress } from '../../parts/use-list-address.ts'
import { dayOf } from '../../parts/zoned-time.ts'
import type { ReportPeriod } from './report.tsx'

type Range = Pick<ReportPeriod, 'start_date' | 'end_date'>

/** This month, this term and this year until today, in the school's zone. Terms begin on 1 March and 1 September. */
function presetsOf(today: string): Record<'thisMonth' | 'thisTerm' | 'thisYear', Range> {
  const [year, month] = partsOf(today)
  const term = month >= 9 ? `${year}-09-01` : month >= 3 ? `${year}-03-01` : `${year - 1}-09-01`
  return {
    thisMonth: { start_date: `${today.slice(0, 8)}01`, end_date: today },
    thisTerm: { start_date: term, end_date: today },
    thisYear: { start_date: `${today.slice(0, 4)}-01-01`, end_date: today },
  }
}

/** The same days one year earlier; the last of February for 29 February. */
export function yearBefore({ start_date, end_date }: Range): Range {
  return { start_date: addMonths(start_date, -12), end_date: addMonths(end_date, -12) }
}

/** Common periods as buttons. */
export function PeriodPresets({ address, period }: { address: ListAddress; period: ReportPeriod }) {
  const { t } = useTranslation()
  const { time_zone } = useSession().organization
  const presets = Object.entries(presetsOf(dayOf(new Date(), time_zone))) as [
    keyof ReturnType<typeof presetsOf>,
    Range,
  ][]
  return (
    <Group gap={4} role="group" aria-label={t('reports.periods')}>
      {presets.map(([name, range]) => {
        const isOn = range.start_date === period.start_date && range.end_date === period.end_date
        return (
          <Button
            key={name}
            size="xs"
            variant={isOn ? 'light' : 'default'}
            aria-pressed={isOn}
            title={`${range.start_date} – ${range.end_date}`}
            onClick={() => address.setFilters({ ...range, as_of: undefined })}
          >
            {t(`reports.${name}`)}
          </Button>
        )
      })}
    </Group>
  )
}
