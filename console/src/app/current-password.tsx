import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A field for the password of the signed-in person. */
export function CurrentPassword({ value, onChange }: { value: string; onChange(password: string): void }) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
      label={t('signIn.password')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="current-password"
      data-autofocus
      required
    />
  )
}
