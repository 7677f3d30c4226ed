import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface PasswordFieldProps extends Omit<PasswordInputProps, 'onChange'> {
  onChange(password: string): void
  /** Asks for a new password and explains the rules. */
  isNew?: boolean
}

/** A field for the current or a new password. */
export function PasswordField({ onChange, isNew = false, ...field }: PasswordFieldProps) {
  const { t } = useTranslation()
  const rules = { description: t('signIn.newPasswordHint'), minLength: 10, maxLength: 200 }
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
      label={t(isNew ? 'signIn.newPassword' : 'signIn.password')}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      onChange={(event) => onChange(event.currentTarget.value)}
      required
      withAsterisk={false}
      {...(isNew && rules)}
      {...field}
    />
  )
}
