import { PasswordField } from '../parts/password-field.tsx'

/** A field for the password of the signed-in person. */
export function CurrentPassword(props: { value: string; onChange(password: string): void }) {
  return <PasswordField {...props} withAsterisk data-autofocus />
}
