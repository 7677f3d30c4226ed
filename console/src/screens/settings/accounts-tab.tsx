import { TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type RowOf, useAction, useCall } from '../../calls/call.ts'
import { EditableList } from '../../parts/editable-list.tsx'
import { Hint } from '../../parts/error-notice.tsx'
import { StateBadge } from '../../parts/instant.tsx'
import { dayColumn } from '../../parts/plain-table.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { AccountSettings, changesOf, lastDayOf, newAccount } from './account-settings.tsx'

export type ApiAccount = RowOf<'listApiAccounts'>
export interface GivenSecret {
  name: string
  app_id: string
  user_api_secret: string
}

/** The API accounts of programs that call for the school. */
export function AccountsTab() {
  const { t } = useTranslation()
  const query = useCall('listApiAccounts', {})
  const [given, setGiven] = useState<GivenSecret>()
  const columns = useMemo<Column<ApiAccount>[]>(
    () => [
      { id: 'name', title: t('fields.name'), cell: ({ name }) => name },
      { id: 'id', title: t('activity.id'), cell: ({ app_id }) => app_id },
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
      dayColumn('ends', t('settings.accountExpires'), ({ expires_at }) => lastDayOf(expires_at)),
      {
        ...{ id: 'state', title: t('fields.status'), card: 'value' },
        cell: (account) => <AccountState account={account} />,
      },
    ],
    [t],
  )
  return (
    <>
      <EditableList
        name="accounts"
        label={t('settings.accounts')}
        columns={columns}
        rowId={({ app_id }) => app_id}
        query={query}
        toolbar={<Hint>{t('settings.accountsHint')}</Hint>}
        add={t('settings.addAccount')}
        empty={{ text: t('settings.noAccounts'), icon: 'key' }}
        dialog={(account, close) =>
          account ? (
            <AccountDialog account={account} onClose={close} onSecret={setGiven} />
          ) : (
            <NewAccountDialog onClose={close} onSecret={setGiven} />
          )
        }
      />
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
  return <StateBadge meaning="received" label={t('offerings.active')} />
}

function NewAccountDialog({ onClose, onSecret }: { onClose(): void; onSecret(given: GivenSecret): void }) {
  const { t } = useTranslation()
  const { run } = useAction('createApiAccount')
  const [name, setName] = useState('')
  const [wanted, setWanted] = useState(newAccount)
  const act = async () => {
    const made = await run({ name, ...changesOf(undefined, wanted) })
    onSecret(made)
    return { said: t('settings.accountCreated', { name: made.name }) }
  }
  return (
    <PreviewDialog
      title={t('settings.addAccount')}
      isIncomplete={name.trim() === '' || wanted.permissions.length === 0}
      onClose={onClose}
      act={act}
      size="lg"
    >
      <TextInput
        label={t('fields.name')}
        description={t('settings.accountNameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <AccountSettings wanted={wanted} onChange={setWanted} />
    </PreviewDialog>
  )
}
