import { Alert, Badge, Button, Divider, Group, Stack, Text } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice, Progress, useErrorText } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useNeighbours } from '../../parts/listed-records.tsx'
import { perform } from '../../parts/preview-dialog.tsx'
import { RecordDrawer } from '../../parts/record-drawer.tsx'
import { usePoolName, usePublicPool, useReach } from '../../parts/use-advisers.ts'
import { ClaimButton } from '../leads/leads-tab.tsx'
import { nameOfPerson, type Person } from './people-filters.tsx'
import { PersonContacts, PersonPlace, PersonProfile } from './person-contacts.tsx'
import { PersonOrders, PersonTags } from './person-orders.tsx'
import { FollowUpForm, PersonTimeline } from './person-timeline.tsx'

/** A person beside the list. */
export function PersonDrawer() {
  const { id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { data: person, error } = useCall('fetchUser', { user_id: id })
  const { previous, next } = useNeighbours(id)
  const open = (user_id: string) =>
    void navigate({ to: '/people/$id', params: { id: user_id }, search: true, replace: true })
  return (
    <RecordDrawer
      title={person ? <PersonTitle person={person} /> : id}
      actions={person && <HoldButton person={person} />}
      onClose={() => void navigate({ to: '/people', search: true })}
      onNext={next ? () => open(next) : undefined}
      onPrevious={previous ? () => open(previous) : undefined}
    >
      {error && <ErrorNotice error={error} />}
      {/* The key discards input and revealed contacts of another person; unsaved follow-ups are kept per person. */}
      {person ? <PersonSections key={id} person={person} /> : !error && <Waiting />}
    </RecordDrawer>
  )
}

function Waiting() {
  const { t } = useTranslation()
  return <Progress label={t('common.loading')} />
}

function PersonTitle({ person }: { person: Person }) {
  const poolName = usePoolName()
  return (
    <Group gap="xs" wrap="nowrap">
      <Text fw={600} size="lg" component="h2">
        {nameOfPerson(person)}
      </Text>
      <Badge variant="light" color="gray" tt="none" radius="sm">
        {poolName(person.pool)}
      </Badge>
    </Group>
  )
}

function PersonSections({ person }: { person: Person }) {
  const reach = useReach()(person)
  const isOwn = reach === 'own'
  return (
    <Stack gap="md">
      <ReachNotice person={person} />
      <PersonContacts person={person} isOwn={isOwn} />
      <Divider />
      <PersonPlace person={person} isReadOnly={!isOwn} />
      <PersonTags person={person} isReadOnly={!isOwn} />
      <Divider />
      <PersonProfile person={person} isReadOnly={!isOwn} />
      <Divider />
      <PersonOrders person={person} />
      <Divider />
      {isOwn && <FollowUpForm person={person} />}
      <PersonTimeline person={person} />
    </Stack>
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
    <Alert variant="light" color={isUnclaimed ? 'blue' : 'gray'} icon={<Icon name="info" />} p="xs">
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

/** Claims or releases a person. Counsellors claim in the notice above the sections. */
function HoldButton({ person }: { person: Person }) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const publicPool = usePublicPool()
  const isOwn = useReach()(person) === 'own'
  const claim = useAction('claimUser')
  const release = useAction('releaseUser')
  const { user_id, holder_id, pool } = person
  const errorText = useErrorText()
  const owner_id = staff.staff_id
  const isMine = holder_id === owner_id
  if (!isOwn || (!isMine && (holder_id !== null || pool !== publicPool))) return null
  const [action, undo] = isMine ? [release, claim] : [claim, release]
  const said = t(isMine ? 'people.released' : 'people.claimed', { name: nameOfPerson(person) })
  const run = () =>
    perform<unknown>(action.run({ user_id, owner_id }), () => ({
      said,
      undo: () => undo.run({ user_id, owner_id }),
    }))
  const error = claim.error ?? release.error
  return (
    <>
      {error && (
        <Text size="xs" c="red" role="alert">
          {errorText(error)}
        </Text>
      )}
      <Button
        size="compact-sm"
        variant={isMine ? 'default' : 'filled'}
        loading={claim.isRunning || release.isRunning}
        onClick={() => void run()}
      >
        {t(isMine ? 'people.release' : 'people.claim')}
      </Button>
    </>
  )
}
