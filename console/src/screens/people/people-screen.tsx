import { Button, Group, TextInput } from '@mantine/core'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ListedRecords } from '../../parts/listed-records.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { ScreenHead } from '../../parts/screen-tabs.tsx'
import { useListAddress } from '../../parts/use-list-address.ts'
import { type BulkChange, BulkDialog } from './bulk-dialog.tsx'
import { readInternational } from './international-number.ts'
import { me, PeopleFilters, usePeople, usePeopleColumns } from './people-filters.tsx'

const none: never[] = []
const bulkChanges: BulkChange[] = ['owner', 'pool', 'tag']

export function PeopleScreen() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const navigate = useNavigate()
  const { id: openId } = useParams({ strict: false })
  const query = usePeople(address)
  const { data } = query
  const columns = usePeopleColumns()
  const [selected, setSelected] = useState<string[]>(none)
  const [bulk, setBulk] = useState<BulkChange>()
  const [isAdding, setAdding] = useState(false)
  const [tableVersion, setTableVersion] = useState(0)
  const ids = useMemo(() => data?.list.map(({ user_id }) => user_id) ?? none, [data])
  return (
    <ListedRecords ids={ids}>
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
        openId={openId}
        onOpen={({ user_id }) => void navigate({ to: '/people/$id', params: { id: user_id }, search: true })}
        selected={can('write') ? selected : undefined}
        onSelect={can('write') ? setSelected : undefined}
        bulkActions={
          <Group gap={4}>
            {bulkChanges.map((change) => (
              <Button key={change} size="compact-sm" variant="light" onClick={() => setBulk(change)}>
                {t(`people.bulk.${change}`)}
              </Button>
            ))}
          </Group>
        }
        toolbar={<PeopleFilters address={address} />}
        empty={{ text: t('people.nobody'), icon: 'people' }}
        spaceAround="15rem"
      />
      {bulk && (
        <BulkDialog
          change={bulk}
          userIds={selected}
          onClose={() => setBulk(undefined)}
          onDone={() => setSelected(none)}
        />
      )}
      {isAdding && <NewPersonDialog onClose={() => setAdding(false)} />}
      <Outlet />
    </ListedRecords>
  )
}

/** Adds a person by hand, or opens the existing one. */
function NewPersonDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [areaCode, setAreaCode] = useState('86')
  const [mobile, setMobile] = useState('')
  const [name, setName] = useState('')
  const create = useAction('createUser')
  const update = useAction('updateUser')
  const international = readInternational(mobile)
  const number =
    international === undefined ? { area_code: areaCode, mobile: mobile.replace(/\D/g, '') } : international
  return (
    <PreviewDialog
      title={t('people.add')}
      isIncomplete={!number?.area_code || !number.mobile}
      onClose={onClose}
      act={async () => {
        const { user_id, is_user_exists } = await create.run(number!)
        if (!is_user_exists && name.trim()) await update.run({ user_id, name: name.trim() })
        void navigate({ to: '/people/$id', params: { id: user_id }, search: true })
        return { said: t(is_user_exists ? 'people.known' : 'people.added') }
      }}
    >
      <TextInput
        label={t('people.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Group grow align="start" wrap="nowrap">
        <TextInput
          label={t('people.areaCode')}
          value={international?.area_code ?? areaCode}
          readOnly={!!international}
          inputMode="numeric"
          onChange={(event) => setAreaCode(event.currentTarget.value.replace(/\D/g, ''))}
        />
        <TextInput
          label={t('people.mobile')}
          value={mobile}
          type="tel"
          error={international === null && mobile.length > 4 && t('people.noSuchCountry')}
          onChange={(event) => setMobile(event.currentTarget.value.replace(/[^\d+＋０-９()\s-]/g, ''))}
          required
        />
      </Group>
    </PreviewDialog>
  )
}
