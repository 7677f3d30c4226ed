import { Group, Pill, Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Hint } from '../../parts/hint.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { usePoolName } from '../../parts/use-pool-name.ts'
import type { Person } from './use-people.ts'

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
