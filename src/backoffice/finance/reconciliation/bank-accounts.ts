import { endpoint } from '../../../contract/endpoint.ts'
import { taken } from '../../../contract/errors.ts'
import {
  described,
  Id,
  Money,
  Name,
  NullableBigInteger,
  NullableString,
  namedObject,
  OrganizationId,
  optionalLine,
} from '../../../contract/fields.ts'
import { longest } from '../../../contract/lengths.ts'
import { largestAmount } from '../../../contract/rounding.ts'
import { Type } from '../../../contract/type.ts'
import { Currency } from '../../../orders/ledger/fields.ts'
import { findBalances, insertBankAccount } from './bank-account-store.ts'
import { bankOperation, exampleBank } from './bank-operation.ts'

/** A balance, which may be negative. */
export const Balance = Type.Integer({
  minimum: -largestAmount,
  maximum: largestAmount,
  description: 'Minor units of the currency',
})

/** An amount to search for. Query strings have no negative numbers. */
export const Amount = Type.Integer({
  minimum: 1,
  maximum: largestAmount,
  description: 'Only this amount in minor units, incoming or outgoing',
})

const BankAccountRow = namedObject('BankAccount', {
  account_id: Id,
  name: Name,
  provider: described(Type.String(), 'The provider of payments that arrive here; "" for a bank'),
  number: described(NullableString, 'The number that the bank writes in statements'),
  currency: Type.String(),
  opening_price: described(Money, 'Balance before the first statement'),
  closing_price: described(Money, 'The opening balance and all lines'),
  stated_price: described(
    NullableBigInteger,
    'Closing balance of the latest statement; another balance than closing_price if a statement is missing',
  ),
  statements: Type.Integer(),
  lines: Type.Integer(),
  open_lines: Type.Integer({ description: 'Lines that are neither matched, booked nor ignored' }),
  open_incoming_price: Money,
  open_outgoing_price: Money,
})

/** Creates an account whose statements are reconciled. */
export const createBankAccount = endpoint({
  ...bankOperation,
  id: 'createBankAccount',
  method: 'POST',
  path: '/api/v5/entity/finance/bank/account/create',
  guard: { effect: 'changes', people: 'none' },
  summary: 'Create a bank account for reconciliation',
  description: 'An account at a bank or a gateway. Its statements and their lines are kept.',
  input: Type.Object({
    corp_id: OrganizationId,
    name: Name,
    currency: Type.Optional(described(Currency, 'Default: the currency of the organization')),
    provider: optionalLine(longest.id, 'The provider of payments that arrive here, for a gateway'),
    number: optionalLine(
      longest.id,
      'The number that the bank writes in statements, such as an IBAN. Statements of other accounts are then left out.',
    ),
    opening_price: Type.Optional(described(Balance, 'Balance before the first statement; default: 0')),
  }),
  data: Type.Object({ account_id: Id }),
  example: {
    input: { corp_id: exampleBank.corp_id, name: 'ICBC 6222', currency: 'CNY', opening_price: 1_500_000 },
    data: { account_id: exampleBank.account_id },
  },
  errors: ['taken'],

  async handle({ db, organization, account, newId, now }, { corp_id, name, ...input }) {
    const { currency = organization.currency, provider = '', opening_price = 0 } = input
    const made = {
      account_id: newId(),
      name,
      currency,
      provider,
      number: input.number || null,
      opening_price,
    }
    const author = { executor_id: account.app_id, now }
    const isMade = await db.transaction((tx) => insertBankAccount(tx, corp_id, made, author))
    if (!isMade) throw taken('name', 'belongs to another bank account')
    return { account_id: made.account_id }
  },
})

/** The accounts with their balances and open lines. */
export const listBankAccounts = endpoint({
  ...bankOperation,
  id: 'listBankAccounts',
  method: 'GET',
  path: '/api/v5/entity/finance/bank/account/list',
  guard: { effect: 'reads', people: 'none' },
  summary: 'List bank accounts with balances and open lines',
  input: Type.Object({ corp_id: OrganizationId }),
  data: Type.Object({ list: Type.Array(BankAccountRow) }),
  example: {
    input: { corp_id: exampleBank.corp_id },
    data: {
      list: [
        {
          account_id: exampleBank.account_id,
          name: 'ICBC 6222',
          provider: '',
          number: '6222 0000 4408',
          currency: 'CNY',
          opening_price: 1_500_000,
          closing_price: 2_780_000,
          stated_price: 2_780_000,
          statements: 1,
          lines: 1,
          open_lines: 0,
          open_incoming_price: 0,
          open_outgoing_price: 0,
        },
      ],
    },
  },

  async handle({ db }, { corp_id }) {
    return { list: await findBalances(db, corp_id) }
  },
})
