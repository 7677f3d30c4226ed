import { useTranslation } from 'react-i18next'
import { Day, Instant, Money } from '../../parts/instant.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { useServiceText } from '../../parts/use-service-text.ts'
import { useLimitsText } from '../settings/use-limits-text.ts'
import { useWebhookProblem } from '../settings/use-webhook-problem.ts'
import { AllocateAction, DecideActions, GoAction, RemindAction } from './today-actions.tsx'
import type { Today } from './today-screen.tsx'
import { type WaitingRow, WaitingSection } from './waiting-section.tsx'

/** Due and unallocated money, decisions, and faults. */
export function OfficeSections({ data }: { data: Today }) {
  const { t } = useTranslation()
  return (
    <>
      <MoneySections data={data} />
      <WaitingSection
        title={t('today.statements')}
        icon="finance"
        total={data.statements.total}
        all={{ to: '/finance', search: { tab: 'matching' } }}
        rows={data.statements.list.map(
          ({ statement_id, account_id, name, currency, open_lines, open_price }) => {
            const target = {
              to: '/finance',
              search: { tab: 'matching', account: account_id, statement: statement_id },
            }
            return {
              id: statement_id,
              ...target,
              name,
              detail: t('today.openLines', { count: open_lines }),
              amount: <Money amount={open_price} currency={currency} />,
              end: null,
              actions: () => <GoAction label={t('today.match')} {...target} />,
            }
          },
        )}
      />
      <WaitingSection
        title={t('today.imports')}
        icon="upload"
        total={data.imports.total}
        all={{ to: '/leads/import' }}
        rows={data.imports.list.map(({ import_id, file_name, refusal, reject, mtime }) => {
          const target = { to: '/leads/import', search: { import: import_id } }
          return {
            id: import_id,
            ...target,
            name: file_name,
            detail: refusal || (reject > 0 ? t('today.toFix', { count: reject }) : t('today.toReview')),
            end: <Instant at={mtime} />,
            actions: () => <GoAction label={t('today.fix')} {...target} />,
          }
        })}
      />
      <SystemSections data={data} />
    </>
  )
}

function MoneySections({ data }: { data: Today }) {
  const { t } = useTranslation()
  const serviceText = useServiceText()
  const instalment = (row: Today['overdue']['list'][number]): WaitingRow => ({
    id: row.sub_order_id,
    to: `/orders/${row.order_id}`,
    name: row.name || row.order_id.slice(-8),
    detail: [t('today.instalment', { seq: row.seq }), row.is_locked && t('orderStatus.locked')]
      .filter(Boolean)
      .join(' · '),
    amount: <Money amount={row.unpaid_price} currency={row.currency} />,
    end: <Day at={row.payment_deadline} />,
    // A locked order takes no money: its page unlocks it.
    actions: (done) =>
      row.is_locked ? (
        <GoAction label={t('today.open')} to={`/orders/${row.order_id}`} />
      ) : (
        <RemindAction order_id={row.order_id} done={done} />
      ),
  })
  return (
    <>
      <WaitingSection
        title={t('approvals.title')}
        icon="finance"
        meaning="soon"
        total={data.approvals.total}
        all={{ to: '/finance', search: { tab: 'approvals' } }}
        rows={data.approvals.list.map((request) => ({
          id: request.request_id,
          to: '/finance',
          search: { tab: 'approvals' },
          name: request.until
            ? t('approvals.closing', { day: request.until })
            : request.user_name || request.order_id.slice(-8),
          detail: request.reason,
          amount: request.currency !== '' && <Money amount={request.price} currency={request.currency} />,
          end: <Instant at={request.ctime} />,
          actions: (done) => <DecideActions request={request} done={done} />,
        }))}
      />
      <WaitingSection
        title={t('today.overdue')}
        icon="warning"
        meaning="refused"
        total={data.overdue.total}
        all={{ to: '/orders', search: { owing: 'overdue' } }}
        rows={data.overdue.list.map(instalment)}
      />
      <WaitingSection
        title={t('today.dueSoon')}
        icon="clock"
        meaning="soon"
        total={data.due_soon.total}
        all={{ to: '/orders', search: { owing: 'unpaid' } }}
        rows={data.due_soon.list.map(instalment)}
      />
      <WaitingSection
        title={t('finance.unallocated')}
        icon="finance"
        total={data.unapplied.total}
        all={{ to: '/finance', search: { tab: 'unallocated' } }}
        rows={data.unapplied.list.map((payment) => ({
          id: payment.payment_id,
          to: payment.order_id ? `/orders/${payment.order_id}` : '/finance',
          ...(!payment.order_id && { search: { tab: 'unallocated' } }),
          name: <Money amount={payment.unapplied_price} currency={payment.order_currency} />,
          detail: serviceText(payment.unapplied_reason),
          end: <Instant at={payment.completed_time} />,
          actions: (done) => <AllocateAction payment={payment} done={done} />,
        }))}
      />
    </>
  )
}

function SystemSections({ data }: { data: Today }) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const limitsText = useLimitsText()
  const problemOf = useWebhookProblem()
  return (
    <>
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
          actions: () => <GoAction label={t('today.decide')} to="/settings" />,
        }))}
      />
      <WaitingSection
        title={t('today.webhooks')}
        icon="link"
        meaning="refused"
        total={data.webhooks.total}
        all={{ to: '/settings', search: { tab: 'webhooks' } }}
        rows={data.webhooks.list.map(({ endpoint_id, url, disabled_reason, since, error, status }) => {
          const target = { to: '/settings', search: { tab: 'webhooks', webhook: endpoint_id } }
          return {
            id: endpoint_id,
            ...target,
            name: url.replace(/^https?:\/\//, ''),
            detail: [
              t(`webhooks.health.${disabled_reason ? 'disabled' : 'failing'}`),
              status ? `HTTP ${status}` : problemOf({ error, status }),
            ].join(' · '),
            end: <Instant at={since} />,
            actions: () => <GoAction label={t('today.open')} {...target} />,
          }
        })}
      />
    </>
  )
}
