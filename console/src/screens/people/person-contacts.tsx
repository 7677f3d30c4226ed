import { ActionIcon, Button, CopyButton, Group, Pill, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { call, useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useAdvisers, usePoolName } from '../../parts/use-advisers.ts'
import { EditableText } from './editable-text.tsx'
import type { Person } from './people-filters.tsx'
import { Section } from './section.tsx'

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

const members = ['name', 'gender', 'city', 'company_name', 'job_title', 'department', 'industry'] as const

export function PersonProfile({ person, isReadOnly }: { person: Person; isReadOnly: boolean }) {
  const { t } = useTranslation()
  const { user_id, version } = person
  const { data: profile } = useCall('fetchProfile', { user_id })
  const update = useAction('updateUser')
  return (
    <Section title={t('people.profile')}>
      <SimpleGrid cols={2} spacing="xs" verticalSpacing={4}>
        {members.map((name) => (
          <div key={name}>
            <Hint size="xs">{t(`people.members.${name}`)}</Hint>
            <EditableText
              label={t(`people.members.${name}`)}
              value={profile?.[name] ?? ''}
              isReadOnly={isReadOnly || !profile}
              save={(text) => update.run({ user_id, version, [name]: text })}
            />
          </div>
        ))}
      </SimpleGrid>
    </Section>
  )
}

/** A person's pool and advisers. */
export function PersonPlace({ person, isReadOnly }: { person: Person; isReadOnly: boolean }) {
  const { t } = useTranslation()
  const { organization } = useSession()
  const { options, nameOf } = useAdvisers()
  const poolName = usePoolName()
  const pool = useAction('updatePool')
  const owner = useAction('updateOwner')
  const { user_id, owner_ids } = person
  const change = (event_type: 'add' | 'remove', owner_id: string) =>
    owner.run({ user_id, owner_id, event_type }).catch(() => undefined)
  return (
    <>
      <Group gap="xs" align="end">
        <Select
          size="xs"
          w="9rem"
          label={t('people.pool')}
          data={organization.pools.map((each) => ({ value: each, label: poolName(each) }))}
          value={person.pool}
          allowDeselect={false}
          disabled={isReadOnly}
          onChange={(chosen) => chosen && pool.run({ user_id, pool: chosen }).catch(() => undefined)}
        />
        <Select
          size="xs"
          w="11rem"
          label={t('people.addOwner')}
          data={options.filter(({ value }) => !owner_ids.includes(value))}
          value={null}
          searchable
          disabled={isReadOnly}
          onChange={(chosen) => chosen && change('add', chosen)}
        />
      </Group>
      <Group gap={6}>
        <Hint>{t('fields.adviser')}</Hint>
        {owner_ids.length === 0 && <Text size="sm">{t('common.none')}</Text>}
        {owner_ids.map((id) => (
          <Pill
            key={id}
            withRemoveButton={!isReadOnly}
            onRemove={() => void change('remove', id)}
            removeButtonProps={{
              'aria-label': t('people.removeOwner', { name: nameOf(id) }),
              tabIndex: 0,
              'aria-hidden': false,
            }}
          >
            {nameOf(id)}
          </Pill>
        ))}
      </Group>
      {(pool.error || owner.error) && <ErrorNotice error={pool.error ?? owner.error} />}
    </>
  )
}
