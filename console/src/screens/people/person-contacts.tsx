import { ActionIcon, Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../calls/call.ts'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { EditableText } from './editable-text.tsx'
import type { Person } from './use-people.ts'

/** Masked contacts. Revealing one is recorded. */
export function PersonContacts({ person, isOwn }: { person: Person; isOwn: boolean }) {
  const { t } = useTranslation()
  const email = useAction('updateEmail')
  return (
    <Stack gap={4}>
      <Contact
        label={t('people.mobile')}
        type="mobile"
        masked={numberOf(person)}
        person={person}
        isOwn={isOwn}
      />
      <Contact label={t('fields.email')} type="email" masked={person.email} person={person} isOwn={isOwn} />
      {isOwn && (
        <EditableText
          label={t('people.changeEmail')}
          value=""
          placeholder={t('people.changeEmail')}
          type="email"
          save={(text) => email.run({ user_id: person.user_id, email: text })}
        />
      )}
    </Stack>
  )
}

function numberOf({ area_code, mobile }: Person): string {
  return mobile && `+${area_code} ${mobile}`
}

function Contact({
  label,
  type,
  masked,
  person,
  isOwn,
}: {
  label: string
  type: 'mobile' | 'email'
  masked: string
  person: Person
  isOwn: boolean
}) {
  const { t } = useTranslation()
  const [shown, setShown] = useState<string>()
  const [error, setError] = useState<unknown>()
  const reveal = async () => {
    setError(undefined)
    try {
      const { value } = await call('fetchContact', { user_id: person.user_id, contact_type: type })
      setShown(type === 'mobile' ? `+${value.join(' ')}` : value.join(' '))
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Icon name={type === 'mobile' ? 'phone' : 'mail'} size={14} />
        <Text size="sm" aria-label={label}>
          {shown ?? (masked || t('common.none'))}
        </Text>
        {masked && shown === undefined && isOwn && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<Icon name="eye" size={12} />}
            onClick={() => void reveal()}
          >
            {t('people.reveal')}
          </Button>
        )}
        {shown !== undefined && (
          <CopyButton value={shown}>
            {({ copied, copy }) => (
              <ActionIcon
                size="xs"
                variant="subtle"
                color="gray"
                onClick={copy}
                aria-label={t(copied ? 'common.copied' : 'common.copy')}
              >
                <Icon name={copied ? 'check' : 'copy'} size={12} />
              </ActionIcon>
            )}
          </CopyButton>
        )}
      </Group>
      {error !== undefined && <ErrorNotice error={error} />}
    </>
  )
}
