import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/call.ts'
import { MoneyInput } from '../../parts/money-input.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'

interface BankAccountDialogProps {
  onClose(): void
  onMade(account_id: string): void
}

const gateways = ['stripe', 'alipay', 'wechat'] as const

/** Creates an account at a bank or a gateway. */
export function BankAccountDialog({ onClose, onMade }: BankAccountDialogProps) {
  const { t } = useTranslation()
  const { organization } = useSession()
  const { run } = useAction('createBankAccount')
  const [name, setName] = useState('')
  const [number, setNumber] = useState('')
  const [currency, setCurrency] = useState(organization.currency)
  const [provider, setProvider] = useState('')
  const [opening, setOpening] = useState<number | undefined>(0)
  const act = async () => {
    const input = {
      name: name.trim(),
      currency,
      provider,
      number: number.trim(),
      opening_price: opening ?? 0,
    }
    const { account_id } = await run(input)
    onMade(account_id)
    return { said: t('bank.accountAdded', { name }) }
  }
  const isIncomplete = name.trim() === '' || !/^[A-Z]{3}$/.test(currency) || opening === undefined
  return (
    <PreviewDialog title={t('bank.addAccount')} isIncomplete={isIncomplete} onClose={onClose} act={act}>
      <TextInput
        label={t('bank.accountName')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <Select
        label={t('bank.kind')}
        data={[
          { value: '', label: t('bank.kindBank') },
          ...gateways.map((value) => ({ value, label: t(`bank.gateway_${value}`) })),
        ]}
        value={provider}
        onChange={(value) => setProvider(value ?? '')}
        allowDeselect={false}
      />
      <TextInput
        label={t('bank.number')}
        description={t('bank.numberHint')}
        value={number}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      <TextInput
        label={t('fields.currency')}
        value={currency}
        onChange={(event) => setCurrency(event.currentTarget.value.toUpperCase())}
        maxLength={3}
        required
      />
      <MoneyInput
        label={t('bank.openingBalance')}
        currency={currency}
        value={opening}
        onChange={(amount, isWrong) => setOpening(isWrong ? undefined : (amount ?? 0))}
      />
    </PreviewDialog>
  )
}
