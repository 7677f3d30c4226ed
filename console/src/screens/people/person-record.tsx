import { Alert, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../parts/icon.tsx'
import { StateBadge } from '../../parts/instant.tsx'
import { RecordBlock, RecordColumns, RecordHead } from '../../parts/record-page.tsx'
import { usePoolName, useReach } from '../../parts/use-advisers.ts'
import { ClaimButton } from '../leads/claim-button.tsx'
import { nameOfPerson, OrderStates, type Person } from './people-filters.tsx'
import { PersonActions } from './person-actions.tsx'
import { PersonContacts, PersonPlace, PersonProfile } from './person-contacts.tsx'
import { PersonLeads, PersonOrders, PersonTags } from './person-orders.tsx'
import { FollowUpForm, PersonTimeline } from './person-timeline.tsx'
import { useRevealed } from './use-revealed.ts'

/** A person: identity with the actions, the timeline, and the facts next to it. */
export function PersonRecord({ person, isPage }: { person: Person; isPage: boolean }) {
  const { t } = useTranslation()
  const poolName = usePoolName()
  const isOwn = useReach()(person) === 'own'
  const revealed = useRevealed(person.user_id)
  const name = nameOfPerson(person)
  return (
    <>
      <RecordHead
        title={name}
        isPage={isPage}
        mark={[...name][0] ?? '?'}
        badges={
          <>
            <StateBadge
              meaning={person.pool === 'alive' ? 'received' : 'ended'}
              label={poolName(person.pool)}
            />
            <OrderStates states={person.order_statuses} />
          </>
        }
        details={<PersonContacts person={person} isOwn={isOwn} revealed={revealed} />}
        actions={<PersonActions person={person} revealed={revealed} />}
      />
      <ReachNotice person={person} />
      <RecordColumns
        first={isOwn && <FollowUpForm person={person} />}
        main={<PersonTimeline person={person} />}
        rail={
          <>
            <PersonOrders person={person} />
            <RecordBlock title={t('fields.adviser')}>
              <PersonPlace person={person} isReadOnly={!isOwn} />
            </RecordBlock>
            <PersonTags person={person} />
            <RecordBlock title={t('people.profile')}>
              <PersonProfile person={person} isReadOnly={!isOwn} />
            </RecordBlock>
            <PersonLeads person={person} />
          </>
        }
      />
    </>
  )
}

/** Says why a counsellor can only read, with a button to claim. */
function ReachNotice({ person }: { person: Person }) {
  const { t } = useTranslation()
  const reach = useReach()(person)
  if (reach === 'own' || reach === 'reading') return null
  const isUnclaimed = reach === 'unclaimed'
  const why = isUnclaimed ? 'unclaimed' : person.owner_ids.length > 0 ? 'notYours' : 'noAdviser'
  return (
    <Alert variant="light" color={isUnclaimed ? 'blue' : 'gray'} icon={<Icon name="info" />} p="xs" mb="sm">
      <Group gap="sm" justify="space-between">
        <Text size="sm" flex={1}>
          {t(`people.${why}`)}
        </Text>
        {isUnclaimed && (
          <ClaimButton
            userId={person.user_id}
            name={nameOfPerson(person)}
            pool={person.pool}
            holderId={person.holder_id}
            isNext
          />
        )}
      </Group>
    </Alert>
  )
}
