import { shownEnd } from '../../contract/contacts.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { createRateCounter } from '../../contract/limits/rate-counter.ts'
import { contactViewOf } from './contact-view.ts'
import { plain, typedNumber } from './search-words.ts'

/** More than a person types; too few to try out the hidden digits of a number. */
const mostPerMinute = 60
const searches = createRateCounter(10_000)

/** Staff find a masked contact by the whole of it. Without a limit they could try out all that it might be. */
export async function limitContactSearches(
  { role, account, now }: Pick<OrganizationContext, 'role' | 'account' | 'now'>,
  ...texts: (string | undefined)[]
): Promise<void> {
  if (contactViewOf({ role }) === 'whole' || !texts.some(namesContact)) return
  const { count, endsAtMs } = await searches.count('calls', account.app_id, 1, now.getTime())
  if (count <= mostPerMinute) return
  throw new ApiError('tooManyRequests', {
    msg: `You have searched for ${mostPerMinute} numbers or addresses in this minute, which is the most. Wait a moment.`,
    extra: { reason: 'contact_searches', most: String(mostPerMinute) },
    retryAfterSeconds: Math.ceil((endsAtMs - now.getTime()) / 1000),
  })
}

/** Whether the text holds a number beyond the digits that a mask shows, or an address. */
function namesContact(text: string | undefined): boolean {
  if (text === undefined) return false
  const parts = [text, ...plain(text).split(/\s+/)]
  return parts.some((part) => part.includes('@') || (typedNumber(part)?.digits.length ?? 0) > shownEnd)
}
