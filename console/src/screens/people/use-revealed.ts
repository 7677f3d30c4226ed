import { useState } from 'react'
import { call } from '../../calls/call.ts'

export type ContactType = 'mobile' | 'email'

export interface Revealed {
  shown: Partial<Record<ContactType, string>>
  error: unknown
  reveal(type: ContactType): Promise<string | undefined>
  forget(type: ContactType): void
}

/** The contacts of a person that the reader has revealed; each reveal is recorded. */
export function useRevealed(user_id: string): Revealed {
  const [shown, setShown] = useState<Revealed['shown']>({})
  const [error, setError] = useState<unknown>()
  return {
    shown,
    error,
    async reveal(type) {
      setError(undefined)
      try {
        const { value } = await call('fetchContact', { user_id, contact_type: type })
        const text = type === 'mobile' ? `+${value.join(' ')}` : value.join(' ')
        setShown((before) => ({ ...before, [type]: text }))
        return text
      } catch (failure) {
        setError(failure)
        return undefined
      }
    },
    forget: (type) => setShown(({ [type]: _, ...others }) => others),
  }
}

/** The address that calls a number or writes to an address. */
export function contactAddress(type: ContactType, text: string): string {
  return type === 'mobile' ? `tel:${text.replaceAll(' ', '')}` : `mailto:${text}`
}
