import { longest } from '../../contract/lengths.ts'

/** Whether there can be anything behind it. PostgreSQL takes no NUL in a text. */
export function isSecretAddress({ corp_id, token }: { corp_id: string; token: string }): boolean {
  const isText = !corp_id.includes('\0') && corp_id.isWellFormed()
  return isText && corp_id.length <= longest.id && /^[A-Za-z0-9_-]{32}$/.test(token)
}
