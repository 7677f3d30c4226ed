import { Button, Group, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../calls/call.ts'
import { EmptyState, ErrorNotice } from '../../parts/error-notice.tsx'
import { useListAddress } from '../../parts/use-list-address.ts'
import { Waiting } from '../../parts/waiting.tsx'
import { BankAccountDialog } from './bank-account-dialog.tsx'
import { BankWorklist } from './bank-worklist.tsx'

/** Bank reconciliation. The account, the statement and the line are in the address, so that work continues there. */
export function MatchingTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const { data, error, isFetching } = useCall('listBankAccounts', {})
  const [isAdding, setAdding] = useState(false)
  const accounts = data?.list ?? []
  const named = accounts.find(({ account_id }) => account_id === address.search.account)
  // A new account is in the address before it is in the list. Until then, no other account takes its place.
  const isAwaited = address.search.account !== undefined && !named && isFetching
  const account = named ?? (isAwaited ? undefined : accounts[0])
  const choose = (account_id: string | null) =>
    address.setFilters({ account: account_id ?? undefined, statement: undefined, line: undefined })
  return (
    <Stack gap="sm">
      {error && <ErrorNotice error={error} />}
      {isAwaited && <Waiting shape="form" />}
      {data && !account && !isAwaited && (
        <EmptyState text={t('bank.noAccounts')} icon="finance">
          <Button onClick={() => setAdding(true)}>{t('bank.addAccount')}</Button>
        </EmptyState>
      )}
      {account && (
        <>
          <Group align="flex-end">
            <Select
              label={t('bank.account')}
              data={accounts.map(({ account_id, name, currency }) => ({
                value: account_id,
                label: `${name} · ${currency}`,
              }))}
              value={account.account_id}
              onChange={choose}
              allowDeselect={false}
              w="100%"
              maw="20rem"
            />
            <Button variant="default" onClick={() => setAdding(true)}>
              {t('bank.addAccount')}
            </Button>
          </Group>
          <BankWorklist key={account.account_id} account={account} address={address} />
        </>
      )}
      {isAdding && (
        <BankAccountDialog
          onClose={() => setAdding(false)}
          onMade={(account_id) => {
            setAdding(false)
            choose(account_id)
          }}
        />
      )}
    </Stack>
  )
}
