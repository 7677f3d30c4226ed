import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataOf, type RowOf, useAction, useCall } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { type Meaning, StateBadge } from '../../parts/instant.tsx'
import { PlainTable, timeColumn } from '../../parts/plain-table.tsx'
import { perform } from '../../parts/preview-dialog.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useListAddress } from '../../parts/use-list-address.ts'
import { useReturnedFocus } from '../../parts/use-returned-focus.ts'
import { useWebhookProblem } from './use-webhook-problem.ts'
import type { Webhook } from './webhooks-tab.tsx'

type Delivery = RowOf<'listWebhookDeliveries'>
type State = Delivery['state']
type Attempt = DataOf<'fetchWebhookDelivery'>['attempt_list'][number]

const states = ['waiting', 'delivered', 'dead'] as const satisfies State[]
const meanings: Record<State, Meaning> = { waiting: 'soon', delivered: 'received', dead: 'refused' }
const [fewRows, mostRows] = [50, 1000]

/** The deliveries of an endpoint, the newest first. */
export function WebhookDeliveries({ webhook: { endpoint_id, dead } }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const address = useListAddress()
  const [limit, setLimit] = useState(fewRows)
  const [open, setOpen] = useState<string>()
  const replay = useAction('replayWebhookDeliveries')
  const state = states.find((each) => each === address.search.state)
  const input = { endpoint_id, limit, ...(state && { state }) }
  const query = useCall('listWebhookDeliveries', input, { keepsPrevious: true, refetchEveryMs: 5000 })
  const problemOf = useWebhookProblem()
  const columns = useMemo<Column<Delivery>[]>(
    () => [
      timeColumn('time', t('activity.time'), ({ ctime }) => ctime),
      { id: 'type', title: t('webhooks.event'), cell: ({ type }) => type },
      {
        id: 'state',
        title: t('fields.status'),
        cell: (row) => <StateBadge meaning={meanings[row.state]} label={t(`webhooks.state.${row.state}`)} />,
      },
      { id: 'attempts', title: t('webhooks.attempts'), isNumber: true, cell: ({ attempts }) => attempts },
      { id: 'problem', title: t('webhooks.lastProblem'), cell: problemOf },
      timeColumn('next', t('webhooks.nextAttempt'), ({ next_at }) => next_at),
    ],
    [t, problemOf],
  )
  const again = () =>
    perform(replay.run({ endpoint_id, all_dead: true }), ({ replayed }) => ({
      said: t('webhooks.replayed', { count: replayed }),
    }))
  return (
    <>
      {replay.error && <ErrorNotice error={replay.error} />}
      <DataTable
        name="webhook-deliveries"
        label={t('webhooks.deliveries')}
        columns={columns}
        rowId={({ delivery_id }) => delivery_id}
        query={{ ...query, data: query.data && { list: query.data.list } }}
        address={address}
        onOpen={({ delivery_id }) => setOpen(delivery_id)}
        filters={[
          {
            ...{ kind: 'choice' as const, name: 'state', label: t('fields.status') },
            options: states.map((value) => ({ value, label: t(`webhooks.state.${value}`) })),
          },
        ]}
        actions={
          dead > 0 && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="undo" size={14} />}
              loading={replay.isRunning}
              onClick={again}
            >
              {t('webhooks.replayDead', { count: dead })}
            </Button>
          )
        }
        empty={{ text: t('webhooks.noDeliveries'), icon: 'link' }}
      />
      {query.data?.has_more && limit < mostRows && (
        <Group justify="center">
          <Button size="xs" variant="default" onClick={() => setLimit(mostRows)}>
            {t('webhooks.more')}
          </Button>
        </Group>
      )}
      {open && (
        <DeliveryDialog endpoint_id={endpoint_id} delivery_id={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}

interface DeliveryDialogProps {
  endpoint_id: string
  delivery_id: string
  onClose(): void
}

/** The sent payload, and the response to each attempt. */
function DeliveryDialog({ endpoint_id, delivery_id, onClose }: DeliveryDialogProps) {
  const { t } = useTranslation()
  useReturnedFocus()
  const { data, error } = useCall('fetchWebhookDelivery', { delivery_id }, { refetchEveryMs: 5000 })
  const replay = useAction('replayWebhookDeliveries')
  const problemOf = useWebhookProblem()
  const again = () =>
    perform(replay.run({ endpoint_id, delivery_id }), ({ replayed }) => ({
      said: t('webhooks.replayed', { count: replayed }),
    }))
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={data ? `${data.type} · ${t(`webhooks.state.${data.state}`)}` : t('webhooks.delivery')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="sm">
        {error && <ErrorNotice error={error} />}
        {replay.error && <ErrorNotice error={replay.error} />}
        {data && (
          <>
            <Group justify="space-between">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {`POST ${data.url}`}
              </Text>
              <Button size="xs" variant="default" loading={replay.isRunning} onClick={again}>
                {t('webhooks.replay')}
              </Button>
            </Group>
            <Hint size="xs">{`webhook-id: ${data.event_id}`}</Hint>
            {data.body === null ? (
              <Hint>{t('webhooks.bodyDeleted')}</Hint>
            ) : (
              <Code block tabIndex={0}>
                {JSON.stringify(JSON.parse(data.body), null, 2)}
              </Code>
            )}
            <PlainTable
              label={t('webhooks.attempts')}
              rows={data.attempt_list}
              rowId={({ attempt }) => String(attempt)}
              columns={[
                {
                  id: 'attempt',
                  title: t('webhooks.attempt'),
                  isNumber: true,
                  cell: ({ attempt }) => attempt,
                },
                timeColumn<Attempt>('at', t('activity.time'), ({ at }) => at),
                {
                  id: 'result',
                  title: t('webhooks.result'),
                  cell: (row) =>
                    row.error ? problemOf(row) : `${t('webhooks.state.delivered')} HTTP ${row.status}`,
                },
                {
                  id: 'duration',
                  title: t('webhooks.duration'),
                  isNumber: true,
                  cell: ({ duration_ms }) => `${duration_ms} ms`,
                },
                {
                  id: 'response',
                  title: t('webhooks.response'),
                  cell: ({ response }) => response && <Code block>{response}</Code>,
                },
              ]}
            />
            {data.attempt_list.length === 0 && <Hint>{t('webhooks.noAttempts')}</Hint>}
          </>
        )}
      </Stack>
    </Modal>
  )
}
