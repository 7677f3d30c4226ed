import type { Issuer } from '../../access/organizations/issuer-store.ts'
import { majorText } from '../../files/amounts.ts'

const iban = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/
const bic = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/
/** 999,999,999.99, the maximum of the standard. */
const mostCents = 99_999_999_999

/**
 * The content of a QR code that European banking apps turn into a transfer (EPC069-12). Undefined for other currencies, or
 * without an IBAN.
 */
export function epcPayload(
  issuer: Issuer,
  { price, currency, reference }: { price: number; currency: string; reference: string },
): string | undefined {
  const account = issuer.bank_account_number.replaceAll(/\s/g, '').toUpperCase()
  const bank = issuer.bank_code.replaceAll(/\s/g, '').toUpperCase()
  if (currency !== 'EUR' || price < 1 || price > mostCents || !iban.test(account)) return undefined
  const name = (issuer.bank_account_name || issuer.legal_name).slice(0, 70)
  if (name === '') return undefined
  const amount = `EUR${majorText(BigInt(price), 'EUR')}`
  return ['BCD', '002', '1', 'SCT', bic.test(bank) ? bank : '', name, account, amount, '', reference].join(
    '\n',
  )
}
