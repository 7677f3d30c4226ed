import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Instant } from '../../parts/instant.tsx'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { ActivityDialog } from './activity-dialog.tsx'
import { useRecordName } from './use-record-name.ts'

export type Activity = RowOf<'listAudit'>

const actions = ['made', 'changed', 'removed', 'revealed', 'exported', 'erased'] as const

/** Who changed or saw what. The log is read from its end: without a page in the address, the newest one is shown. */
export function ActivityTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const [open, setOpen] = useState<Activity>()
  const staff = useCall('listStaff', {}).data?.list
  const recordName = useRecordName()
  const { who, action, from, until, record } = address.search
  const filters = {
    ...(who && { actor_id: who }),
    ...(actions.some((each) => each === action) && { action: action as Activity['action'] }),
    ...(from && { start_date: from }),
    ...(until && { end_date: until }),
    ...(record && { record_id: record }),
  }
  const count = useCall('listAudit', { ...filters, page_size: pageSize }, { keepsPrevious: true })
  const lastPage = Math.max(Math.ceil((count.data?.total ?? 0) / pageSize) - 1, 0)
  const page = address.search.page === undefined ? lastPage : address.page
  const read = useCall(
    'listAudit',
    { ...filters, page, page_size: pageSize },
    { enabled: count.data !== undefined && page > 0, keepsPrevious: true },
  )
  const data = page === 0 ? count.data : read.data
  const columns = useMemo<Column<Activity>[]>(
    () => [
      { id: 'time', title: t('activity.when'), cell: ({ time }) => <Instant at={time} /> },
      {
        id: 'who',
        title: t('activity.who'),
        cell: ({ actor_id }) => staff?.find(({ staff_id }) => staff_id === actor_id)?.name ?? actor_id,
      },
      { id: 'action', title: t('activity.what'), cell: ({ action }) => t(`activity.actions.${action}`) },
      { id: 'kind', title: t('activity.record'), cell: ({ record_type }) => recordName(record_type) },
      { id: 'record', title: t('activity.id'), cell: ({ record_id }) => record_id },
      { id: 'operation', title: t('activity.operation'), cell: ({ operation }) => operation },
      { id: 'address', title: t('activity.address'), isExtra: true, cell: (entry) => entry.address },
    ],
    [t, staff, recordName],
  )
  const rows = useMemo(() => data?.list.toReversed(), [data])
  return (
    <>
      <DataTable
        name="activity"
        label={t('activity.title')}
        columns={columns}
        rowId={({ entry_id }) => entry_id}
        rows={rows}
        total={data?.total}
        page={page}
        onPage={(wanted) => address.setFilters({ ...address.search, page: String(wanted + 1) })}
        error={count.error ?? read.error}
        onOpen={setOpen}
        toolbar={
          <FilterBar
            address={address}
            search={{ name: 'record', label: t('activity.byRecord') }}
            filters={[
              {
                kind: 'choice',
                name: 'who',
                label: t('activity.who'),
                options: staff?.map(({ staff_id, name }) => ({ value: staff_id, label: name })) ?? [],
              },
              {
                kind: 'choice',
                name: 'action',
                label: t('activity.what'),
                options: actions.map((value) => ({ value, label: t(`activity.actions.${value}`) })),
              },
              { kind: 'day', name: 'from', label: t('activity.from') },
              { kind: 'day', name: 'until', label: t('activity.until') },
            ]}
          />
        }
      />
      {open && <ActivityDialog entry={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
