import { Button, Checkbox, Group } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { AddButton } from '../../parts/add-button.tsx'
import { AfterHeading } from '../../parts/after-heading.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useRecentList } from '../../parts/recent-list.ts'
import { SavedViews } from '../../parts/saved-views.tsx'
import { ScreenHead } from '../../parts/screen-tabs.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useListAddress } from '../../parts/use-list-address.ts'
import { type BulkChange, BulkDialog } from './bulk-dialog.tsx'
import { LeadDialog } from './lead-dialog.tsx'
import {
  me,
  PeopleFilters,
  type Person,
  usePeople,
  usePeopleColumns,
  usePeopleFilter,
} from './people-filters.tsx'
import { PersonCardActions } from './person-card-actions.tsx'

const PersonDrawer = lazy(async () => ({
  default: (await import('./person-drawer.tsx')).PersonDrawer,
}))

const none: never[] = []
const cardActions: Column<Person> = {
  ...{ id: 'act', title: '', isOnCardsOnly: true },
  cell: (person) => <PersonCardActions person={person} />,
}
const bulkChanges: BulkChange[] = ['owner', 'pool', 'tag']

export function PeopleScreen() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const navigate = useNavigate()
  const { query, ...listed } = usePeople(address)
  const { data } = query
  useRecentList({ screen: 'people', ...listed, search: address.search, page: address.page, data })
  const known = usePeopleColumns(!!address.search.q)
  const columns = useMemo(() => [...known, cardActions], [known])
  const [selected, setSelected] = useState<string[]>(none)
  const [bulk, setBulk] = useState<BulkChange>()
  const [isAll, setAll] = useState(false)
  const filter = usePeopleFilter(address)
  const [isAdding, setAdding] = useState(false)
  const [tableVersion, setTableVersion] = useState(0)
  const select = (userIds: string[]) => {
    setSelected(userIds)
    setAll(false)
  }
  return (
    <>
      <ScreenHead title={t('frame.people')} count={data && t('common.person', { count: data.total })}>
        {can('write') && (
          <>
            <Button
              size="xs"
              variant="default"
              component={Link}
              to="/leads/import"
              leftSection={<Icon name="upload" size={14} />}
            >
              {t('people.import')}
            </Button>
            <AddButton label={t('people.add')} onClick={() => setAdding(true)} />
          </>
        )}
      </ScreenHead>
      <AfterHeading>
        <SavedViews
          screen="people"
          table="people"
          address={address}
          onColumns={() => setTableVersion((version) => version + 1)}
          usual={[
            { name: t('common.all'), search: {} },
            { name: t('people.mine'), search: { owner_id: me } },
            { name: t('people.pools.public'), search: { pool: 'public' } },
            { name: t('people.noOrder'), search: { order_status: 'none' } },
          ]}
        />
        <DataTable
          key={tableVersion}
          name="people"
          label={t('frame.people')}
          columns={columns}
          rowId={({ user_id }) => user_id}
          query={query}
          address={address}
          openId={address.opened}
          onOpen={({ user_id }) => address.open(user_id)}
          onOpenPage={({ user_id }) => void navigate({ to: '/people/$id', params: { id: user_id } })}
          selected={can('write') ? selected : undefined}
          onSelect={can('write') ? select : undefined}
          bulkActions={
            <Group gap={4}>
              {bulkChanges.map((change) => (
                <Button key={change} size="compact-sm" variant="light" onClick={() => setBulk(change)}>
                  {t(`people.bulk.${change}`)}
                </Button>
              ))}
              {filter && data && data.total > selected.length && (
                <Checkbox
                  size="xs"
                  checked={isAll}
                  onChange={(event) => setAll(event.currentTarget.checked)}
                  label={t('people.bulk.all', { count: data.total })}
                />
              )}
            </Group>
          }
          toolbar={<PeopleFilters address={address} />}
          empty={{ text: t('people.nobody'), icon: 'people' }}
          spaceAround="15rem"
        />
      </AfterHeading>
      {bulk && (
        <BulkDialog
          change={bulk}
          people={isAll && filter && data ? { filter, count: data.total } : { user_ids: selected }}
          onClose={() => setBulk(undefined)}
          onDone={() => select(none)}
        />
      )}
      {isAdding && <LeadDialog title={t('people.add')} onClose={() => setAdding(false)} />}
      {address.opened && (
        <Suspense>
          <PersonDrawer id={address.opened} onOpen={address.open} />
        </Suspense>
      )}
    </>
  )
}
