import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type DataOf, type RowOf, useAction, useCall } from '../../calls/call.ts'
import { EditableList } from '../../parts/editable-list.tsx'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { StateBadge } from '../../parts/instant.tsx'
import { MailState } from '../../parts/mail-state.tsx'
import { PreviewDialog, perform } from '../../parts/preview-dialog.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'

type Colleague = RowOf<'listStaff'>
interface GivenLink {
  name: string
  url: string
  is_mailed: boolean
}

/** Staff and their roles. Links are shown to be forwarded, even if the service sends them by mail. */
export function StaffTab() {
  const { t } = useTranslation()
  const query = useCall('listStaff', {})
  const [given, setGiven] = useState<GivenLink>()
  const columns = useMemo<Column<Colleague>[]>(
    () => [
      { id: 'name', title: t('fields.name'), cell: ({ name }) => name },
      { id: 'email', title: t('fields.email'), cell: ({ email }) => email },
      { id: 'role', title: t('settings.role'), card: 'value', cell: ({ role }) => t(`roles.${role}`) },
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
          text={t(given.is_mailed ? 'settings.linkMailed' : 'settings.linkHint')}
          label={t('settings.link')}
          value={given.url}
          onClose={() => setGiven(undefined)}
        />
      )}
    </>
  )
}

function ColleagueState({ colleague }: { colleague: Colleague }) {
  const { t } = useTranslation()
  const grantors = useGrantors(colleague)
  const { can } = useSession()
  return (
    <>
      <ColleagueBadge colleague={colleague} />
      {can('admin') && !colleague.is_disabled && <MailState recordId={colleague.staff_id} />}
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

interface ColleagueDialogProps {
  colleague: Colleague
  onClose(): void
  onLink(given: GivenLink): void
}

/** Changes a role, removes a person or creates a reset link. Changes take effect immediately. */
function ColleagueDialog({ colleague, onClose, onLink }: ColleagueDialogProps) {
  const { t, i18n } = useTranslation()
  const { organization } = useSession()
  const change = useAction('updateRole')
  const reset = useAction('resetColleague')
  const { staff_id, name } = colleague
  const [role, setRole] = useState<Colleague['role'] | 'none'>(colleague.role)

  const act = async () => {
    await change.run({ staff_id, role })
    if (role === 'none') return { said: t('settings.isRemoved', { name }) }
    return {
      said: t('settings.roleChanged', { name, role: t(`roles.${role}`) }),
      undo: () => change.run({ staff_id, role: colleague.role }),
    }
  }
  const makeLink = async () => {
    const made = await reset.run({ staff_id, language: mailLanguage(i18n.language) }).catch(() => undefined)
    if (!made) return
    onClose()
    onLink(givenLink(made))
  }
  return (
    <PreviewDialog
      title={name}
      confirmLabel={t(role === 'none' ? 'settings.remove' : 'settings.changeRole')}
      isDestructive={role === 'none'}
      isIncomplete={role === colleague.role}
      onClose={onClose}
      act={act}
    >
      <RoleSelect value={role} onChange={setRole} none={t('settings.noRole')} />
      {role === 'none' && (
        <Text size="sm">{t('settings.willBeRemoved', { name, school: organization.name })}</Text>
      )}
      <Group justify="space-between">
        <Text size="sm">{t('settings.forgottenPassword')}</Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="link" size={14} />}
          loading={reset.isRunning}
          onClick={() => void makeLink()}
        >
          {t('settings.newLink')}
        </Button>
      </Group>
      {reset.error && <ErrorNotice error={reset.error} />}
      <ColleagueConfirmation colleague={colleague} onClose={onClose} />
    </PreviewDialog>
  )
}

/** Without a configured public address, the link has the address of this page. */
function givenLink({ name, link, url, is_mailed }: DataOf<'inviteColleague'>): GivenLink {
  return { name, is_mailed, url: url || `${window.location.origin}/welcome#${link}` }
}

/** Colleagues usually read the language of the person who invites them. */
function mailLanguage(language: string): 'en' | 'zh' {
  return language.startsWith('zh') ? 'zh' : 'en'
}

function InviteDialog({ onClose, onLink }: { onClose(): void; onLink(given: GivenLink): void }) {
  const { t, i18n } = useTranslation()
  const { run } = useAction('inviteColleague')
  const { values, getInputProps, setFieldValue } = useForm({
    initialValues: { name: '', email: '', role: 'counsellor' as Colleague['role'] },
  })
  const { name, role } = values
  const email = values.email.trim()
  return (
    <PreviewDialog
      title={t('settings.invite')}
      isIncomplete={name.trim() === '' || !/^\S+@\S+$/.test(email)}
      onClose={onClose}
      act={async () => {
        const invited = await run({ name, email, role, language: mailLanguage(i18n.language) })
        onLink(givenLink(invited))
        return { said: t('settings.isInvited', { name: invited.name, role: t(`roles.${role}`) }) }
      }}
    >
      <TextInput label={t('fields.name')} {...getInputProps('name')} required data-autofocus />
      <TextInput label={t('fields.email')} type="email" {...getInputProps('email')} required />
      <RoleSelect value={role} onChange={(chosen) => setFieldValue('role', chosen)} />
    </PreviewDialog>
  )
}

type Role = Colleague['role']
const roles: Role[] = ['counsellor', 'finance', 'admin', 'viewer']

interface RoleSelectProps<Value extends string> {
  value: Value
  onChange: (role: NoInfer<Value>) => void
  /** Label of the option that removes the role. */
  none?: string
}

/** A field for a role, with its description. */
function RoleSelect<Value extends string>({ value, onChange, none }: RoleSelectProps<Value>) {
  const { t } = useTranslation()
  return (
    <Select
      label={t('settings.role')}
      description={value === 'none' ? undefined : t(`settings.roleDescription.${value as unknown as Role}`)}
      data={[
        ...roles.map((role) => ({ value: role, label: t(`roles.${role}`) })),
        ...(none ? [{ value: 'none', label: none }] : []),
      ]}
      value={value}
      onChange={(chosen) => onChange(chosen as Value)}
      allowDeselect={false}
      inputWrapperOrder={['label', 'input', 'description']}
    />
  )
}

/** Until another administrator confirms a person, they count as the one who gave them access. */
function ColleagueConfirmation({ colleague, onClose }: { colleague: Colleague; onClose(): void }) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const grantors = useGrantors(colleague)
  const { run, isRunning, error } = useAction('confirmColleague')
  const { staff_id, name, unconfirmed_by } = colleague
  if (unconfirmed_by.length === 0) return null
  const isOwn = staff_id === staff.staff_id || unconfirmed_by.includes(staff.staff_id)
  const confirm = async () => {
    if (await perform(run({ staff_id }), () => ({ said: t('settings.isConfirmed', { name }) }))) onClose()
  }
  return (
    <Stack gap="xs">
      <Text size="sm">{t('settings.unconfirmedHint', { name, grantors })}</Text>
      {isOwn ? (
        <Hint>{t('settings.othersConfirm')}</Hint>
      ) : (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{t('settings.confirmHint', { name })}</Text>
          <Button
            size="xs"
            variant="default"
            loading={isRunning}
            onClick={() => void confirm()}
            miw="max-content"
          >
            {t('settings.confirmColleague')}
          </Button>
        </Group>
      )}
      {error && <ErrorNotice error={error} />}
    </Stack>
  )
}

/** The names of those who gave a person access. */
function useGrantors({ unconfirmed_by }: Colleague): string {
  const { nameOf } = useAdvisers()
  const { i18n } = useTranslation()
  return new Intl.ListFormat(i18n.language).format(unconfirmed_by.map(nameOf))
}
