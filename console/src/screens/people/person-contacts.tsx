import { ActionIcon, Anchor, Button, CopyButton, Group, Pill, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Facts } from '../../parts/record-page.tsx'
import { useAdvisers, usePoolName } from '../../parts/use-advisers.ts'
import { ContactEditor } from './contact-editor.tsx'
import { EditableText } from './editable-text.tsx'
import type { Person } from './people-filters.tsx'
import { type ContactType, contactAddress, type Revealed } from './use-revealed.ts'

const types = ['mobile', 'email'] as const

interface PersonContactsProps {
  person: Person
  isOwn: boolean
  revealed: Revealed
}

/** Contacts, masked until they are revealed; then they are links. A correction can be undone. */
export function PersonContacts({ person, isOwn, revealed }: PersonContactsProps) {
  const [editing, setEditing] = useState<ContactType>()
  return (
    <>
      <Group gap="0.25rem 1rem">
        {types.map((type) => (
          <Contact
            key={type}
            type={type}
            masked={type === 'mobile' ? numberOf(person) : person.email}
            isOwn={isOwn}
            revealed={revealed}
            onEdit={editing === undefined ? () => setEditing(type) : undefined}
          />
        ))}
      </Group>
      {editing && (
        <ContactEditor
          person={person}
          type={editing}
          onClose={() => {
            setEditing(undefined)
            revealed.forget(editing)
          }}
        />
      )}
      {revealed.error !== undefined && <ErrorNotice error={revealed.error} />}
    </>
  )
}

function numberOf({ area_code, mobile }: Person): string {
  return mobile && `+${area_code} ${mobile}`
}

interface ContactProps extends Omit<PersonContactsProps, 'person'> {
  type: ContactType
  masked: string
  onEdit: (() => void) | undefined
}

function Contact({ type, masked, isOwn, revealed, onEdit }: ContactProps) {
  const { t } = useTranslation()
  const shown = revealed.shown[type]
  const change = t(type === 'mobile' ? 'people.changeMobile' : 'people.changeEmail')
  const label = t(type === 'mobile' ? 'people.mobile' : 'fields.email')
  return (
    <Group gap={4} wrap="nowrap">
      <Icon name={type === 'mobile' ? 'phone' : 'mail'} size={14} />
      {shown === undefined ? (
        <Text size="sm" aria-label={label} style={{ overflowWrap: 'anywhere' }}>
          {masked || t('common.none')}
        </Text>
      ) : (
        <Anchor size="sm" href={contactAddress(type, shown)}>
          {shown}
        </Anchor>
      )}
      {masked && shown === undefined && isOwn && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<Icon name="eye" size={12} />}
          onClick={() => void revealed.reveal(type)}
        >
          {t('people.reveal')}
        </Button>
      )}
      {shown !== undefined && (
        <CopyButton value={shown}>
          {({ copied, copy }) => (
            <ActionIcon
              size="sm"
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
      {isOwn && onEdit && (
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          onClick={onEdit}
          aria-label={change}
          title={change}
        >
          <Icon name="edit" size={12} />
        </ActionIcon>
      )}
    </Group>
  )
}

const members = ['name', 'gender', 'city', 'company_name', 'job_title', 'department', 'industry'] as const

/** The facts of a person, edited in place. */
export function PersonProfile({ person, isReadOnly }: { person: Person; isReadOnly: boolean }) {
  const { t } = useTranslation()
  const { user_id, version } = person
  const { data: profile } = useCall('fetchProfile', { user_id })
  const update = useAction('updateUser')
  return (
    <Facts
      facts={members.map((name) => [
        t(`people.members.${name}`),
        <EditableText
          key={name}
          label={t(`people.members.${name}`)}
          value={profile?.[name] ?? ''}
          isReadOnly={isReadOnly || !profile}
          save={(text) => update.run({ user_id, version, [name]: text })}
        />,
      ])}
    />
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
      <Group gap={6} mb={6}>
        {owner_ids.length === 0 && <Text size="sm">{t('people.lead.noAdviser')}</Text>}
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
      <Group gap="xs" grow>
        <Select
          size="xs"
          label={t('people.addOwner')}
          data={options.filter(({ value }) => !owner_ids.includes(value))}
          value={null}
          searchable
          disabled={isReadOnly}
          onChange={(chosen) => chosen && change('add', chosen)}
        />
        <Select
          size="xs"
          label={t('people.pool')}
          data={organization.pools.map((each) => ({ value: each, label: poolName(each) }))}
          value={person.pool}
          allowDeselect={false}
          disabled={isReadOnly}
          onChange={(chosen) => chosen && pool.run({ user_id, pool: chosen }).catch(() => undefined)}
        />
      </Group>
      {(pool.error || owner.error) && <ErrorNotice error={pool.error ?? owner.error} />}
    </>
  )
}
