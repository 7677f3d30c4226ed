import { Button, Group } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Hint } from '../../parts/error-notice.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { MergeDialog } from '../people/merge-dialog.tsx'

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
      {
        ...{ id: 'first', title: t('leads.onePerson'), card: 'title' },
        cell: ({ users }) => <PersonLine person={users[0]} />,
        value: ({ users }) => users[0]?.name,
      },
      {
        ...{ id: 'second', title: t('leads.otherPerson'), card: 'title' },
        cell: ({ users }) => <PersonLine person={users[1]} />,
        value: ({ users }) => users[1]?.name,
      },
      {
        id: 'reasons',
        title: t('leads.matchOn'),
        cell: ({ reasons }) => reasons.map((each) => t(`leads.reasons.${each}`)).join(t('common.listComma')),
      },
      {
        ...{ id: 'score', card: 'value', value: ({ score }) => score },
        title: t('leads.score'),
        isNumber: true,
        cell: ({ score }) => t('leads.percent', { score }),
      },
      {
        id: 'merge',
        title: t('table.actions'),
        card: 'action',
        cell: (row) =>
          can('write') && (
            <Group gap="xs" wrap="nowrap">
              <Button size="compact-xs" variant="light" onClick={() => setPair(row)}>
                {t(row.obstacles.length > 0 ? 'leads.compare' : 'leads.merge')}
              </Button>
              {row.obstacles[0] && <Hint size="xs">{t(`leads.why.${row.obstacles[0].reason}`)}</Hint>}
            </Group>
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
      {pair && <MergeDialog userIds={idsOf(pair)} onClose={() => setPair(undefined)} />}
    </>
  )
}

function idsOf({ users }: Pair): [string, string] {
  const [first, second] = users
  return [first?.user_id ?? '', second?.user_id ?? '']
}

function PersonLine({ person }: { person: Person | undefined }) {
  if (!person) return null
  const details = [person.mobile, person.email, person.company_name].filter(Boolean)
  return (
    <span>
      <b>{person.name}</b> <Hint span>{details.join(' · ')}</Hint>
    </span>
  )
}
