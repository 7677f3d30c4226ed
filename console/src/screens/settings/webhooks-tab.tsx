import { Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type RowOf, useCall } from '../../calls/call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { type Meaning, StateBadge } from '../../parts/instant.tsx'
import { timeColumn } from '../../parts/plain-table.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useListAddress } from '../../parts/use-list-address.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookPanel } from './webhook-panel.tsx'

export type Webhook = RowOf<'listWebhookEndpoints'>

/** Polling interval: the state of an endpoint changes in the background. */
const refetchEveryMs = 5000

/** Addresses that receive events, and the deliveries of one of them. */
export function WebhooksTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const query = useCall('listWebhookEndpoints', {}, { refetchEveryMs })
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const open = query.data?.list.find(({ endpoint_id }) => endpoint_id === address.search.webhook)
  const columns = useMemo<Column<Webhook>[]>(
    () => [
      {
        ...{ id: 'health', title: t('fields.status'), card: 'value' },
        cell: (webhook) => <WebhookHealth webhook={webhook} />,
        value: ({ health }) => t(`webhooks.health.${health}`),
      },
      {
        id: 'url',
        title: t('webhooks.url'),
        card: 'title',
        value: ({ url }) => url,
        cell: ({ url, description }) => (
          <>
            <Text span inherit style={{ overflowWrap: 'anywhere' }}>
              {url}
            </Text>
            {description && (
              <Text size="xs" c="dimmed" truncate>
                {description}
              </Text>
            )}
          </>
        ),
      },
      { id: 'types', title: t('webhooks.types'), cell: (webhook) => <WebhookTypes webhook={webhook} /> },
      timeColumn('delivered', t('webhooks.lastDelivered'), ({ delivered_at }) => delivered_at),
      {
        id: 'waiting',
        title: t('webhooks.waiting'),
        isNumber: true,
        cell: ({ waiting, lag }) => waiting + lag,
      },
      { id: 'dead', title: t('webhooks.dead'), isNumber: true, cell: ({ dead }) => dead },
    ],
    [t],
  )
  const add = <AddButton label={t('webhooks.add')} onClick={() => setAdding(true)} />
  return (
    <>
      {open ? (
        <WebhookPanel
          webhook={open}
          onBack={() => address.setFilters({ webhook: undefined, state: undefined })}
          onSecret={setSecret}
        />
      ) : (
        <DataTable
          name="webhooks"
          label={t('webhooks.title')}
          columns={columns}
          rowId={({ endpoint_id }) => endpoint_id}
          query={query}
          toolbar={<Hint>{t('webhooks.hint')}</Hint>}
          actions={add}
          onOpen={({ endpoint_id }) => address.setFilters({ webhook: endpoint_id })}
          empty={{ text: t('webhooks.none'), icon: 'link', action: add }}
        />
      )}
      {query.error && <ErrorNotice error={query.error} />}
      {isAdding && <WebhookDialog onClose={() => setAdding(false)} onSecret={setSecret} />}
      {secret && (
        <ShownOnce
          title={t('webhooks.secret')}
          text={t('webhooks.secretHint')}
          label={t('webhooks.secret')}
          value={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}

const meanings: Record<Webhook['health'], Meaning> = {
  new: 'soon',
  healthy: 'received',
  failing: 'refused',
  disabled: 'ended',
}

export function WebhookHealth({ webhook: { health } }: { webhook: Webhook }) {
  const { t } = useTranslation()
  return <StateBadge meaning={meanings[health]} label={t(`webhooks.health.${health}`)} />
}

export function WebhookTypes({ webhook: { types } }: { webhook: Webhook }) {
  const { t } = useTranslation()
  return types.includes('*') ? t('webhooks.allTypes') : types.join(t('common.listComma'))
}
