import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { call, type RowOf, useAction } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Hint } from '../../parts/error-notice.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useReach } from '../../parts/use-advisers.ts'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { ClaimButton } from './leads-tab.tsx'

type Pair = RowOf<'listDuplicates'>
type Person = Pair['users'][number]

/** Pairs of people who are likely one person. A merge can be undone. */
export function DuplicatesTab() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const [pair, setPair] = useState<Pair>()
  const query = useList('listDuplicates', address, {})
  const columns = useMemo<Column<Pair>[]>(
    () => [
      { id: 'first', title: t('leads.onePerson'), cell: ({ users }) => <PersonLine person={users[0]} /> },
      { id: 'second', title: t('leads.otherPerson'), cell: ({ users }) => <PersonLine person={users[1]} /> },
      {
        id: 'reasons',
        title: t('leads.matchOn'),
        cell: ({ reasons }) => reasons.map((each) => t(`leads.reasons.${each}`)).join(t('common.listComma')),
      },
      {
        id: 'score',
        title: t('leads.score'),
        isNumber: true,
        cell: ({ score }) => t('leads.percent', { score }),
      },
      {
        id: 'merge',
        title: t('leads.merge'),
        cell: (row) =>
          can('write') && (
            <Button size="compact-xs" variant="light" onClick={() => setPair(row)}>
              {t('leads.merge')}
            </Button>
          ),
      },
    ],
    [t, can],
  )
  return (
    <>
      <DataTable
        name="duplicates"
        label={t('leads.duplicates')}
        columns={columns}
        rowId={({ users }) => users.map(({ user_id }) => user_id).join(' ')}
        query={query}
        address={address}
        onOpen={can('write') ? setPair : undefined}
        empty={{ text: t('leads.noDuplicates'), icon: 'check' }}
        spaceAround="15rem"
      />
      {pair && <MergeDialog pair={freshOf(pair, query.data?.list)} onClose={() => setPair(undefined)} />}
    </>
  )
}

/** The pair from the latest list: a person may have been claimed since. */
function freshOf(pair: Pair, list: Pair[] = []): Pair {
  const idsOf = ({ users }: Pair) => users.map(({ user_id }) => user_id).join(' ')
  return list.find((each) => idsOf(each) === idsOf(pair)) ?? pair
}

function PersonLine({ person }: { person: Person | undefined }) {
  if (!person) return null
  const details = [person.mobile, person.email, person.company_name].filter(Boolean)
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" fw={500}>
        {person.name}
      </Text>
      <Hint>{details.join(' · ')}</Hint>
    </Group>
  )
}

function MergeDialog({ pair, onClose }: { pair: Pair; onClose(): void }) {
  const { t } = useTranslation()
  const merge = useAction('mergeUsers')
  const [stays, setStays] = useState(pair.users[0]!.user_id)
  const survivor = pair.users.find(({ user_id }) => user_id === stays)!
  const merged = pair.users.find(({ user_id }) => user_id !== stays)!
  const reachOf = useReach()
  const reaches = pair.users.map(reachOf)
  const isMergeable = reaches.every((reach) => reach === 'own')
  const obstacle = reaches.includes('other') ? 'mergeNotYours' : 'claimToMerge'
  return (
    <PreviewDialog
      title={t('leads.merge')}
      isIncomplete={!isMergeable}
      onClose={onClose}
      act={async () => {
        const input = { user_id: survivor.user_id, merged_user_id: merged.user_id }
        const { merge_id } = await merge.run(input)
        return { said: t('leads.merged'), undo: () => call('unmergeUsers', { merge_id }) }
      }}
      size="lg"
    >
      <Radio.Group label={t('leads.personToKeep')} value={stays} onChange={setStays}>
        <Stack gap="xs" mt="xs">
          {pair.users.map((person) => (
            <Group key={person.user_id} gap="sm" justify="space-between">
              <Radio value={person.user_id} label={<PersonLine person={person} />} />
              {reachOf(person) === 'unclaimed' && (
                <ClaimButton
                  userId={person.user_id}
                  name={person.name}
                  pool={person.pool}
                  holderId={person.holder_id}
                />
              )}
            </Group>
          ))}
        </Stack>
      </Radio.Group>
      {!isMergeable && (
        <Text size="sm" fw={500}>
          {t(`leads.${obstacle}`)}
        </Text>
      )}
      <Text size="sm">{t('leads.mergeWill', { name: survivor.name || survivor.mobile })}</Text>
    </PreviewDialog>
  )
}
