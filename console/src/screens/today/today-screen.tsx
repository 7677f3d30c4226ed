import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useCall } from '../../calls/call.ts'
import { EmptyState, ErrorNotice, Progress } from '../../parts/error-notice.tsx'
import { Day, Instant, Money } from '../../parts/instant.tsx'
import { ScreenHead } from '../../parts/screen-tabs.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { useLimitsText } from '../settings/use-limits-text.ts'
import { type WaitingRow, WaitingSection } from './waiting-section.tsx'

/** The tasks of the signed-in person. Each row opens the place to act. */
export function TodayScreen() {
  const { t } = useTranslation()
  const { staff } = useSession()
  const { nameOf } = useAdvisers()
  const limitsText = useLimitsText()
  // Polls: imports finish and leads arrive while the screen is open.
  const { data, error } = useCall('fetchToday', {}, { refetchEveryMs: 15_000, isFreshOnOpening: true })
  if (error) return <ErrorNotice error={error} />
  if (!data)
    return (
      <>
        <ScreenHead title={t('frame.today')} />
        <Progress label={t('common.loading')} />
      </>
    )
  const isQuiet = Object.values(data).every(({ total }) => total === 0)
  return (
    <>
      <ScreenHead title={t('frame.today')} />
      {isQuiet && <EmptyState text={t('today.nothing')} icon="check" />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" verticalSpacing="lg">
        <WaitingSection
          title={t('today.callbacks')}
          icon="phone"
          total={data.callbacks.total}
          rows={data.callbacks.list.map(
            ({ follow_up_id, user_id, name, content, next_time }): WaitingRow => ({
              id: follow_up_id,
              to: `/people/${user_id}`,
              name,
              detail: content,
              end: <Instant at={next_time} />,
            }),
          )}
        />
        <WaitingSection
          title={t('today.notContacted')}
          icon="person"
          total={data.untouched.total}
          all={{ to: '/people', search: { owner_id: staff.staff_id } }}
          rows={data.untouched.list.map(personRow)}
        />
        <WaitingSection
          title={t('today.overdue')}
          icon="warning"
          meaning="refused"
          total={data.overdue.total}
          all={{ to: '/orders', search: { owing: 'overdue' } }}
          rows={data.overdue.list.map(instalmentRow)}
        />
        <WaitingSection
          title={t('today.dueSoon')}
          icon="clock"
          meaning="soon"
          total={data.due_soon.total}
          all={{ to: '/orders', search: { owing: 'unpaid' } }}
          rows={data.due_soon.list.map(instalmentRow)}
        />
        <WaitingSection
          title={t('finance.unallocated')}
          icon="finance"
          total={data.unapplied.total}
          all={{ to: '/finance', search: { tab: 'unallocated' } }}
          rows={data.unapplied.list.map(
            ({
              payment_id,
              order_id,
              order_currency,
              unapplied_price,
              unapplied_reason,
              completed_time,
            }) => ({
              id: payment_id,
              to: order_id ? `/orders/${order_id}` : '/finance',
              ...(!order_id && { search: { tab: 'unallocated' } }),
              name: <Money amount={unapplied_price} currency={order_currency} />,
              detail: unapplied_reason,
              end: <Instant at={completed_time} />,
            }),
          )}
        />
        <WaitingSection
          title={t('approvals.title')}
          icon="finance"
          meaning="soon"
          total={data.approvals.total}
          all={{ to: '/finance', search: { tab: 'approvals' } }}
          rows={data.approvals.list.map(
            ({ request_id, order_id, user_name, until, reason, price, currency, ctime }) => ({
              id: request_id,
              to: '/finance',
              search: { tab: 'approvals' },
              name: until ? t('approvals.closing', { day: until }) : user_name || order_id.slice(-8),
              detail: reason,
              amount: currency !== '' && <Money amount={price} currency={currency} />,
              end: <Instant at={ctime} />,
            }),
          )}
        />
        <WaitingSection
          title={t('settings.limitsToApprove')}
          icon="finance"
          meaning="soon"
          total={data.limits.total}
          all={{ to: '/settings' }}
          rows={data.limits.list.map(({ request_id, requested_by, wanted, ctime }) => ({
            id: request_id,
            to: '/settings',
            name: nameOf(requested_by),
            detail: limitsText(wanted),
            end: <Instant at={ctime} />,
          }))}
        />
        <WaitingSection
          title={t('today.imports')}
          icon="upload"
          total={data.imports.total}
          all={{ to: '/leads/import' }}
          rows={data.imports.list.map(({ import_id, file_name, refusal, reject, mtime }) => ({
            id: import_id,
            to: '/leads/import',
            search: { import: import_id },
            name: file_name,
            detail: refusal || (reject > 0 ? t('today.toFix', { count: reject }) : t('today.toReview')),
            end: <Instant at={mtime} />,
          }))}
        />
        <WaitingSection
          title={t('today.unclaimed')}
          icon="leads"
          total={data.unclaimed.total}
          all={{ to: '/leads', search: { tab: 'pool' } }}
          rows={data.unclaimed.list.map(personRow)}
        />
      </SimpleGrid>
    </>
  )

  function instalmentRow(row: NonNullable<typeof data>['overdue']['list'][number]): WaitingRow {
    return {
      id: row.sub_order_id,
      to: `/orders/${row.order_id}`,
      name: row.name,
      detail: t('today.instalment', { seq: row.seq }),
      amount: <Money amount={row.unpaid_price} currency={row.currency} />,
      end: <Day at={row.payment_deadline} />,
    }
  }
}

function personRow(user: {
  user_id: string
  name: string
  mobile: string
  city: string | null
  ctime: string
}): WaitingRow {
  return {
    id: user.user_id,
    to: `/people/${user.user_id}`,
    name: user.name || user.mobile,
    detail: user.city ?? '',
    end: <Instant at={user.ctime} />,
  }
}
