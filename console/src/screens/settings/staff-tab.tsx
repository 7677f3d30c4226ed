import { Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useGrantors } from './colleague-confirmation.tsx'
import { ColleagueDialog } from './colleague-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'

export type Colleague = RowOf<'listStaff'>
export interface GivenLink {
  name: string
  link: string
}

/** Who works here, and as what. There is no mail server to assume: links are shown, to be passed on. */
export function StaffTab() {
  const { t } = useTranslation()
  const { data, error } = useCall('listStaff', {})
  const [open, setOpen] = useState<Colleague | 'new'>()
  const [given, setGiven] = useState<GivenLink>()
  const columns = useMemo<Column<Colleague>[]>(
    () => [
      { id: 'name', title: t('settings.name'), cell: ({ name }) => name },
      { id: 'email', title: t('signIn.email'), cell: ({ email }) => email },
      { id: 'role', title: t('settings.role'), cell: ({ role }) => t(`roles.${role}`) },
      {
        id: 'state',
        title: t('settings.state'),
        cell: (colleague) => <ColleagueState colleague={colleague} />,
      },
    ],
    [t],
  )
  return (
    <>
      <DataTable
        name="staff"
        label={t('settings.staff')}
        columns={columns}
        rowId={({ staff_id }) => staff_id}
        rows={data?.list}
        total={data?.list.length}
        page={0}
        onPage={() => undefined}
        error={error}
        onOpen={setOpen}
        actions={<AddButton label={t('settings.invite')} onClick={() => setOpen('new')} />}
      />
      {open === 'new' && <InviteDialog onClose={() => setOpen(undefined)} onLink={setGiven} />}
      {open && open !== 'new' && (
        <ColleagueDialog colleague={open} onClose={() => setOpen(undefined)} onLink={setGiven} />
      )}
      {given && (
        <ShownOnce
          title={t('settings.linkFor', { name: given.name })}
          text={t('settings.linkHint')}
          label={t('settings.link')}
          value={`${window.location.origin}/welcome#${given.link}`}
          onClose={() => setGiven(undefined)}
        />
      )}
    </>
  )
}

function ColleagueState({ colleague }: { colleague: Colleague }) {
  const { t } = useTranslation()
  const grantors = useGrantors(colleague)
  return (
    <>
      <ColleagueBadge colleague={colleague} />
      {colleague.unconfirmed_by.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('settings.unconfirmed', { grantors })}
        </Text>
      )}
    </>
  )
}

function ColleagueBadge({ colleague: { is_active, is_disabled } }: { colleague: Colleague }) {
  const { t } = useTranslation()
  if (is_disabled) return <StateBadge meaning="ended" label={t('settings.disabled')} />
  return is_active ? (
    <StateBadge meaning="received" label={t('settings.active')} />
  ) : (
    <StateBadge meaning="soon" label={t('settings.invited')} />
  )
}
