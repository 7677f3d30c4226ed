import {
  checkoutSealName,
  findIssuer,
  findLogo,
  type Issuer,
  insertLogo,
  type Logo,
  lockIssuer,
  storeCheckoutSecret,
  storeIssuer,
} from '../../access/organizations/issuer-store.ts'
import { newSecret } from '../../access/organizations/keyring.ts'
import { maxLogoBytes, readLogo } from '../../access/organizations/logo.ts'
import { colorFault } from '../../access/organizations/school-color.ts'
import { shownOnce } from '../../contract/contacts.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { invalid } from '../../contract/errors.ts'
import { described, namedObject, OrganizationId, optionalLine, optionalText } from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { type Static, Type } from '../../contract/type.ts'
import { checkoutFault } from '../../orders/payment-requests/checkout-address.ts'
import '../../access/staff/console-context.ts'

const Text = Type.String()

const IssuerRow = namedObject('Issuer', {
  legal_name: described(Text, 'Empty: documents show the name of the organization'),
  address: Text,
  tax_number: Text,
  bank_name: Text,
  bank_account_name: Text,
  bank_account_number: described(Text, 'IBAN, or the number that banks of the country use'),
  bank_code: described(Text, 'BIC, or the code that banks of the country use'),
  logo: described(Text, 'PNG or JPEG image in Base64; empty: no logo'),
  color: described(Text, 'Colour of the school as #rrggbb; empty: none'),
  checkout_url: described(Text, 'Template of the address of the school’s own checkout; empty: none'),
})

const shared = { group: 'Console', since: 'Ver5.2026-11-18' } as const
const corp_id = 'lakeside'
const example: Static<typeof IssuerRow> = {
  legal_name: 'Northgate Education Ltd.',
  address: '88 Century Avenue\nShanghai 200120',
  tax_number: '91310115MA1K3XXX0X',
  bank_name: 'ICBC Shanghai Lujiazui',
  bank_account_name: 'Northgate Education Ltd.',
  bank_account_number: '1001190009876543210',
  bank_code: 'ICBKCNBJSHI',
  logo: '',
  color: '#0a3f8f',
  checkout_url:
    'https://pay.northgate.example/?order={order_id}&amount={amount}&currency={currency}&ref={reference}',
}

export const fetchIssuer = endpoint({
  ...shared,
  id: 'fetchIssuer',
  method: 'GET',
  path: '/api/v5/console/organization/issuer/fetch',
  permission: 'read',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Fetch the name, address, bank details, logo and colour of the school',
  input: Type.Object({ corp_id: OrganizationId }),
  data: IssuerRow,
  example: { input: { corp_id }, data: example },

  async handle({ db }, { corp_id }) {
    const issuer = await findIssuer(db, corp_id)
    const logo = issuer.logo_id === '' ? undefined : await findLogo(db, corp_id, issuer.logo_id)
    return issuerRow(issuer, logo)
  },
})

export const updateIssuer = endpoint({
  ...shared,
  id: 'updateIssuer',
  method: 'POST',
  path: '/api/v5/console/organization/issuer/update',
  permission: 'admin',
  guard: { effect: 'changes', confirmed: true, people: 'none' },
  summary: 'Change the name, address, bank details, logo and colour of the school',
  description:
    'Only members that are sent change. Documents that are issued already keep what they said. Staff confirm the call, ' +
    'because payers send money to this bank account.',
  input: Type.Object({
    corp_id: OrganizationId,
    legal_name: optionalLine(longest.name),
    address: optionalText(longest.shortText),
    tax_number: optionalLine(longest.id),
    bank_name: optionalLine(longest.name),
    bank_account_name: optionalLine(longest.name),
    bank_account_number: optionalLine(longest.id, 'IBAN, or the number that banks of the country use'),
    bank_code: optionalLine(longest.id, 'BIC, or the code that banks of the country use'),
    checkout_url: optionalLine(
      longest.shortText,
      'https address with {order_id}, {amount} (minor units), {currency} and {reference}; empty: none',
    ),
    color: optionalLine(
      longest.id,
      'Colour of the school as #rrggbb, dark enough for white text (4.5 : 1); empty: none',
    ),
    logo: Type.Optional(
      Type.String({
        maxLength: Math.ceil(maxLogoBytes / 3) * 4,
        description: `PNG or JPEG image of at most ${maxLogoBytes} bytes in Base64; empty: no logo`,
      }),
    ),
  }),
  data: IssuerRow,
  example: { input: { corp_id, legal_name: example.legal_name, address: example.address }, data: example },

  async handle({ db, now }, { corp_id, logo: base64, ...change }) {
    const logo = base64 === undefined || base64 === '' ? undefined : readLogo(base64)
    if (typeof logo === 'string') throw invalid('logo', logo)
    const fault = change.checkout_url === undefined ? undefined : checkoutFault(change.checkout_url)
    if (fault) throw invalid('checkout_url', fault)
    const tooLight = change.color === undefined ? undefined : colorFault(change.color)
    if (tooLight) throw invalid('color', tooLight)
    return db.transaction(async (tx) => {
      const before = await lockIssuer(tx, corp_id, now)
      if (logo) await insertLogo(tx, corp_id, logo, now)
      const logo_id = logo?.logo_id ?? (base64 === '' ? '' : before.logo_id)
      const given = Object.entries(change).filter(([, text]) => text !== undefined)
      const issuer = { ...before, ...Object.fromEntries(given), logo_id }
      await storeIssuer(tx, corp_id, issuer, before)
      return issuerRow(issuer, logo ?? (await findLogo(tx, corp_id, logo_id)))
    })
  },
})

/** Creates the secret that signs the addresses of the checkout. */
export const rotateCheckoutSecret = endpoint({
  ...shared,
  id: 'rotateCheckoutSecret',
  method: 'POST',
  path: '/api/v5/console/organization/checkout-secret/rotate',
  permission: 'admin',
  guard: { effect: 'grants', people: 'none' },
  summary: 'Create a new secret for the checkout, shown once',
  description:
    'The page of a payment request leads to checkout_url with `timestamp` (Unix seconds) and `signature`: the hexadecimal ' +
    'HMAC-SHA-256, with this secret, of order_id, amount, currency, reference and timestamp, joined by line feeds. The ' +
    'checkout compares the signature and refuses an old timestamp. The old secret ends at once.',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ secret: shownOnce(described(Text, 'Shown only once')) }),
  example: { input: { corp_id }, data: { secret: 'Zl0jJk9sT1mQx4v7b2Yt8uW3rC5nE6aD' } },

  async handle({ db, keyring, now }, { corp_id }) {
    const secret = newSecret()
    await db.transaction(async (tx) => {
      await lockIssuer(tx, corp_id, now)
      await storeCheckoutSecret(tx, corp_id, keyring.seal(checkoutSealName(corp_id), secret))
    })
    return { secret }
  },
})

function issuerRow({ logo_id: _, ...issuer }: Issuer, logo: Logo | undefined): Static<typeof IssuerRow> {
  return { ...issuer, logo: logo?.content.toString('base64') ?? '' }
}
