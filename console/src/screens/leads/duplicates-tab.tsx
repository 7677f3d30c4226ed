import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { call, type RowOf } from '../../calls/call.ts'
import { useAction } from '../../calls/use-action.ts'
import { useCall } from '../../calls/use-call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'

type Pair = RowOf<'listDuplicates'>
type Person = Pair['users'][number]

/** Two who are likely one; merging makes them one, and can be taken back. */
export function DuplicatesTab() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const [pair, setPair] = useState<Pair>()
  const { data, error } = useCall('listDuplicates', { page: address.page, page_size: pageSize })
  const columns = useMemo<Column<Pair>[]>(
    () => [
      { id: 'first', title: t('leads.onePerson'), cell: ({ users }) => <PersonLine person={users[0]} /> },
      { id: 'second', title: t('leads.otherPerson'), cell: ({ users }) => <PersonLine person={users[1]} /> },
      {
        id: 'reasons',
        title: t('leads.alike'),
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
        rows={data?.list}
        total={data?.total}
        page={address.page}
        onPage={address.setPage}
        error={error}
        onOpen={can('write') ? setPair : undefined}
        empty={<EmptyState text={t('leads.noDuplicates')} icon="check" />}
        spaceAround="15rem"
      />
      {pair && <MergeDialog pair={pair} onClose={() => setPair(undefined)} />}
    </>
  )
}

function PersonLine({ person }: { person: Person | undefined }) {
  if (!person) return null
  const told = [person.mobile, person.email, person.company_name].filter(Boolean)
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" fw={500}>
        {person.name}
      </Text>
      <Text size="sm" c="dimmed">
        {told.join(' · ')}
      </Text>
    </Group>
  )
}

function MergeDialog({ pair, onClose }: { pair: Pair; onClose(): void }) {
  const { t } = useTranslation()
  const merge = useAction('mergeUsers')
  const [stays, setStays] = useState(pair.users[0]!.user_id)
  const survivor = pair.users.find(({ user_id }) => user_id === stays)!
  const merged = pair.users.find(({ user_id }) => user_id !== stays)!
  return (
    <PreviewDialog
      title={t('leads.mergeTitle')}
      confirmLabel={t('leads.merge')}
      onClose={onClose}
      act={async () => {
        const input = { user_id: survivor.user_id, merged_user_id: merged.user_id }
        const { merge_id } = await merge.run(input)
        return { said: t('leads.merged'), undo: () => call('unmergeUsers', { merge_id }) }
      }}
      size="lg"
    >
      <Radio.Group label={t('leads.whoStays')} value={stays} onChange={setStays}>
        <Stack gap="xs" mt="xs">
          {pair.users.map((person) => (
            <Radio key={person.user_id} value={person.user_id} label={<PersonLine person={person} />} />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="sm">{t('leads.mergeWill', { name: survivor.name || survivor.mobile })}</Text>
    </PreviewDialog>
  )
}
