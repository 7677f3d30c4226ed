/** The name of a user, composed of first and last name if only they are known; "" if unknown. */
export function fullName(user: {
  name: string | null
  first_name: string | null
  last_name: string | null
}): string {
  if (user.name) return user.name
  const first = user.first_name ?? ''
  const last = user.last_name ?? ''
  // Chinese names are written family name first, without a space.
  return han.test(first + last) ? last + first : `${first} ${last}`.trim()
}

const han = /^\p{Script=Han}+$/u
