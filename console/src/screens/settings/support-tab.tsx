import { Button, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type RowOf, useAction, useCall } from '../../calls/call.ts'
import { EmptyState, ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { StateBadge } from '../../parts/instant.tsx'
import { PlainTable, timeColumn } from '../../parts/plain-table.tsx'
import { PreviewDialog, perform } from '../../parts/preview-dialog.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'

type Grant = RowOf<'listSupportGrants'>

const roles: Grant['role'][] = ['viewer', 'counsellor', 'finance']
const mostHours = 72

/** Access that the school gives to support of the operator, for some hours. */
export function SupportTab() {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const { data, error } = useCall('listSupportGrants', {})
  const [isGranting, setGranting] = useState(false)
  return (
    <Stack align="flex-start">
      <Hint>{t('support.hint')}</Hint>
      {error && <ErrorNotice error={error} />}
      {data && data.list.length > 0 && (
        <PlainTable
          label={t('support.title')}
          rows={data.list}
          rowId={({ grant_id }) => grant_id}
          columns={[
            { id: 'name', title: t('fields.name'), cell: ({ name }) => name },
            { id: 'email', title: t('fields.email'), cell: ({ email }) => email },
            { id: 'role', title: t('settings.role'), cell: ({ role }) => t(`roles.${role}`) },
            {
              ...{ id: 'state', title: t('fields.status'), card: 'value' },
              cell: (grant) => <GrantState grant={grant} />,
            },
            timeColumn<Grant>('ends', t('fields.until'), ({ ends }) => ends),
            {
              id: 'by',
              title: t('support.grantedBy'),
              cell: ({ granted_by }) => nameOf(granted_by),
            },
            { id: 'actions', title: '', cell: (grant) => grant.is_open && <Revoke grant={grant} /> },
          ]}
        />
      )}
      {data?.list.length === 0 && <EmptyState text={t('support.none')} icon="key" />}
      <Button onClick={() => setGranting(true)}>{t('support.grant')}</Button>
      {isGranting && <GrantDialog onClose={() => setGranting(false)} />}
    </Stack>
  )
}

function GrantState({ grant: { is_open, revoked_by } }: { grant: Grant }) {
  const { t } = useTranslation()
  if (is_open) return <StateBadge meaning="action" label={t('support.open')} />
  return <StateBadge meaning="ended" label={t(revoked_by ? 'support.revoked' : 'support.expired')} />
}

function Revoke({ grant: { grant_id, name } }: { grant: Grant }) {
  const { t } = useTranslation()
  const { run, isRunning } = useAction('revokeSupport')
  const revoke = () => perform(run({ grant_id }), () => ({ said: t('support.isRevoked', { name }) }))
  return (
    <Button size="compact-xs" variant="subtle" color="red" loading={isRunning} onClick={() => void revoke()}>
      {t('support.revoke')}
    </Button>
  )
}

function GrantDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  const { run } = useAction('grantSupport')
  const { values, getInputProps, setFieldValue } = useForm({
    initialValues: { name: '', email: '', role: 'viewer' as Grant['role'], hours: 24 },
  })
  const { name, role, hours } = values
  const email = values.email.trim()
  const isHours = Number.isInteger(hours) && hours >= 1 && hours <= mostHours
  return (
    <PreviewDialog
      title={t('support.grant')}
      isIncomplete={name.trim() === '' || !/^\S+@\S+$/.test(email) || !isHours}
      onClose={onClose}
      act={async () => {
        await run({ name: name.trim(), email, role, hours })
        return { said: t('support.isGranted', { name: name.trim() }) }
      }}
    >
      <Hint>{t('support.grantHint')}</Hint>
      <TextInput label={t('fields.name')} {...getInputProps('name')} required data-autofocus />
      <TextInput label={t('fields.email')} type="email" {...getInputProps('email')} required />
      <Select
        label={t('settings.role')}
        description={t(`settings.roleDescription.${role}`)}
        data={roles.map((each) => ({ value: each, label: t(`roles.${each}`) }))}
        value={role}
        onChange={(chosen) => setFieldValue('role', chosen as Grant['role'])}
        allowDeselect={false}
        inputWrapperOrder={['label', 'input', 'description']}
      />
      <NumberInput
        label={t('support.hours')}
        {...getInputProps('hours')}
        min={1}
        max={mostHours}
        allowDecimal={false}
        allowNegative={false}
        required
      />
    </PreviewDialog>
  )
}
