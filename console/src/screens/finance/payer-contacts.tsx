import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../app/session.tsx'
import { call, type DataOf } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'

type Payer = DataOf<'fetchPayer'>

/** The masked contacts of a payer. Revealing one is recorded. */
export function PayerContacts({ payer }: { payer: Payer }) {
  const { t } = useTranslation()
  const { area_code, mobile, email, contact_name, address, tax_number, reference } = payer
  const facts: [label: string, text: string][] = [
    [t('payers.contactName'), contact_name],
    [t('payers.number'), reference],
    [t('payers.taxNumber'), tax_number],
    [t('payers.address'), address],
  ]
  return (
    <Group gap="lg" style={{ rowGap: 4 }}>
      {mobile && <Contact payer={payer} type="mobile" masked={`+${area_code} ${mobile}`} />}
      {email && <Contact payer={payer} type="email" masked={email} />}
      {facts
        .filter(([, text]) => text !== '')
        .map(([label, text]) => (
          <Text key={label} size="sm">
            <Text span c="dimmed">
              {label}
            </Text>{' '}
            {text}
          </Text>
        ))}
    </Group>
  )
}

interface ContactProps {
  payer: Payer
  type: 'mobile' | 'email'
  masked: string
}

function Contact({ payer: { payer_id }, type, masked }: ContactProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState<string>()
  const { attempt, isRunning, error } = useAttempt()
  const reveal = async () => {
    const { value } = await call('fetchPayerContact', { payer_id, contact_type: type })
    setShown(type === 'mobile' ? `+${value.join(' ')}` : value.join(' '))
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Icon name={type === 'mobile' ? 'phone' : 'mail'} size={14} />
      <Text size="sm" aria-label={t(type === 'mobile' ? 'payers.mobile' : 'fields.email')}>
        {shown ?? masked}
      </Text>
      {shown === undefined && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<Icon name="eye" size={12} />}
          loading={isRunning}
          onClick={() => void attempt(reveal)}
        >
          {t('people.reveal')}
        </Button>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
    </Group>
  )
}
