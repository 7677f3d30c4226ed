import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Colleague } from './staff-tab.tsx'

type Role = Colleague['role']
const roles: Role[] = ['counsellor', 'finance', 'admin', 'viewer']

interface RoleSelectProps<Value extends string> {
  value: Value
  onChange: (role: NoInfer<Value>) => void
  /** Label of the option that removes the role. */
  none?: string
}

/** A field for a role, with its description. */
export function RoleSelect<Value extends string>({ value, onChange, none }: RoleSelectProps<Value>) {
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
