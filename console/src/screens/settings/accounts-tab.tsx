import { Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Day } from '../../parts/instant.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { lastDayOf } from './account-settings.tsx'
import { NewAccountDialog } from './new-account-dialog.tsx'

export type ApiAccount = RowOf<'listApiAccounts'>
export interface GivenSecret {
  name: string
  app_id: string
  user_api_secret: string
}

/** Which programs may call in the name of the school. */
export function AccountsTab() {
  const { t } = useTranslation()
  const { data, error } = useCall('listApiAccounts', {})
  const [open, setOpen] = useState<ApiAccount | 'new'>()
  const [given, setGiven] = useState<GivenSecret>()
  const columns = useMemo<Column<ApiAccount>[]>(
    () => [
      { id: 'name', title: t('settings.name'), cell: ({ name }) => name },
      { id: 'id', title: t('settings.appId'), cell: ({ app_id }) => app_id },
      {
        id: 'may',
        title: t('settings.permissions'),
        cell: ({ permissions }) =>
          permissions.map((permission) => t(`settings.permission.${permission as 'read'}`)).join(', '),
      },
      {
        id: 'limit',
        title: t('settings.perMinute'),
        isNumber: true,
        cell: ({ rate_limit_per_minute, is_shared }) =>
          is_shared ? '' : (rate_limit_per_minute ?? t('settings.noLimit')),
      },
      {
        id: 'networks',
        title: t('settings.networks'),
        isExtra: true,
        cell: ({ allowed_networks }) => allowed_networks.join(', '),
      },
      {
        id: 'ends',
        title: t('settings.accountExpires'),
        cell: ({ expires_at }) => <Day at={lastDayOf(expires_at)} />,
      },
      { id: 'state', title: t('settings.state'), cell: (account) => <AccountState account={account} /> },
    ],
    [t],
  )
  const add = <AddButton label={t('settings.addAccount')} onClick={() => setOpen('new')} />
  return (
    <>
      <DataTable
        name="accounts"
        label={t('settings.accounts')}
        columns={columns}
        rowId={({ app_id }) => app_id}
        rows={data?.list}
        total={data?.list.length}
        page={0}
        onPage={() => undefined}
        error={error}
        onOpen={setOpen}
        toolbar={
          <Text size="sm" c="dimmed">
            {t('settings.accountsHint')}
          </Text>
        }
        actions={add}
        empty={
          <EmptyState text={t('settings.noAccounts')} icon="key">
            {add}
          </EmptyState>
        }
      />
      {open === 'new' && <NewAccountDialog onClose={() => setOpen(undefined)} onSecret={setGiven} />}
      {open && open !== 'new' && (
        <AccountDialog account={open} onClose={() => setOpen(undefined)} onSecret={setGiven} />
      )}
      {given && (
        <ShownOnce
          title={t('settings.secretOf', { name: given.name })}
          text={t('settings.secretHint', { id: given.app_id })}
          label={t('settings.secret')}
          value={given.user_api_secret}
          onClose={() => setGiven(undefined)}
        />
      )}
    </>
  )
}

function AccountState({ account: { is_disabled, is_shared, secrets } }: { account: ApiAccount }) {
  const { t } = useTranslation()
  if (is_disabled) return <StateBadge meaning="ended" label={t('settings.disabled')} />
  if (is_shared) return <StateBadge meaning="received" label={t('settings.shared')} />
  if (secrets.length === 0) return <StateBadge meaning="refused" label={t('settings.noSecret')} />
  if (secrets.length > 1) return <StateBadge meaning="soon" label={t('settings.twoSecrets')} />
  return <StateBadge meaning="received" label={t('settings.active')} />
}
