import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Day, Money } from '../../parts/instant.tsx'
import { perform } from '../../parts/preview-dialog.tsx'
import { type BankLine, textOf } from './bank-lines.tsx'

/** Open lines of other accounts with the opposite amount: transfers and payouts. */
export function BankTransferSearch({ line }: { line: BankLine }) {
  const { t } = useTranslation()
  const { run, isRunning, error } = useAction('transferBankLines')
  const { data } = useCall('listBankLines', { state: 'open', amount: Math.abs(line.price), page_size: 20 })
  const { data: accounts } = useCall('listBankAccounts', {})
  const others = (data?.list ?? []).filter(
    ({ account_id, price }) => account_id !== line.account_id && Math.sign(price) === -Math.sign(line.price),
  )
  const transfer = (other: BankLine) => {
    const [from, to] = line.price < 0 ? [line, other] : [other, line]
    void perform(run({ line_id: from.line_id, other_line_id: to.line_id }), () => ({
      said: t('bank.transferDone'),
    }))
  }
  return (
    <>
      {others.slice(0, 5).map((other) => (
        <Group key={other.line_id} justify="space-between" wrap="nowrap">
          <Text size="sm">
            {accounts?.list.find(({ account_id }) => account_id === other.account_id)?.name} ·{' '}
            <Money amount={other.price} currency={other.currency} /> · <Day at={other.value_date} />{' '}
            {textOf(other)}
          </Text>
          <Button size="compact-xs" variant="light" loading={isRunning} onClick={() => transfer(other)}>
            {t('bank.matchTransfer')}
          </Button>
        </Group>
      ))}
      {error && <ErrorNotice error={error} />}
    </>
  )
}
