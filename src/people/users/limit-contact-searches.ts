import { shownEnd } from '../../contract/contacts.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { createRateCounter } from '../../contract/limits/rate-counter.ts'
import { contactViewOf } from './contact-view.ts'
import { plain, typedNumber } from './search-words.ts'

/** More than a person types, and too few to guess the hidden digits of a number. */
const maxPerMinute = 60
const searches = createRateCounter(10_000)

/** Staff find a masked contact by its whole value. Without a limit they could guess the hidden digits. */
export async function limitContactSearches(
  { role, account, now }: Pick<OrganizationContext, 'role' | 'account' | 'now'>,
  ...texts: (string | undefined)[]
): Promise<void> {
  if (contactViewOf({ role }) === 'whole' || !texts.some(namesContact)) return
  const { count, endsAtMs } = await searches.count('calls', account.app_id, 1, now.getTime())
  if (count <= maxPerMinute) return
  throw new ApiError('tooManyRequests', {
    msg: `You have searched for ${maxPerMinute} numbers or addresses in this minute, the maximum. Try again in a minute.`,
    extra: { reason: 'contact_searches', most: String(maxPerMinute) },
    retryAfterSeconds: Math.ceil((endsAtMs - now.getTime()) / 1000),
  })
}

/** Whether the text contains an address, or more digits of a number than a mask shows. */
function namesContact(text: string | undefined): boolean {
  if (text === undefined) return false
  const parts = [text, ...plain(text).split(/\s+/)]
  return parts.some((part) => part.includes('@') || (typedNumber(part)?.digits.length ?? 0) > shownEnd)
}
