import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { EditableList } from '../../parts/editable-list.tsx'
import { Hint } from '../../parts/hint.tsx'
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

/** Staff and their roles. The service sends no mail, so it shows links to pass on. */
export function StaffTab() {
  const { t } = useTranslation()
  const query = useCall('listStaff', {})
  const [given, setGiven] = useState<GivenLink>()
  const columns = useMemo<Column<Colleague>[]>(
    () => [
      { id: 'name', title: t('fields.name'), cell: ({ name }) => name },
      { id: 'email', title: t('fields.email'), cell: ({ email }) => email },
      { id: 'role', title: t('settings.role'), cell: ({ role }) => t(`roles.${role}`) },
      {
        id: 'state',
        title: t('fields.status'),
        cell: (colleague) => <ColleagueState colleague={colleague} />,
      },
    ],
    [t],
  )
  return (
    <>
      <EditableList
        name="staff"
        label={t('settings.staff')}
        columns={columns}
        rowId={({ staff_id }) => staff_id}
        query={query}
        add={t('settings.invite')}
        dialog={(colleague, close) =>
          colleague ? (
            <ColleagueDialog colleague={colleague} onClose={close} onLink={setGiven} />
          ) : (
            <InviteDialog onClose={close} onLink={setGiven} />
          )
        }
      />
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
        <Hint size="xs">{t('settings.unconfirmed', { grantors })}</Hint>
      )}
    </>
  )
}

function ColleagueBadge({ colleague: { is_active, is_disabled } }: { colleague: Colleague }) {
  const { t } = useTranslation()
  if (is_disabled) return <StateBadge meaning="ended" label={t('settings.disabled')} />
  return is_active ? (
    <StateBadge meaning="received" label={t('offerings.active')} />
  ) : (
    <StateBadge meaning="soon" label={t('settings.invited')} />
  )
}
