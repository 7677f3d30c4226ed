import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { invalid } from '../../contract/errors.ts'
import {
  described,
  Id,
  Money,
  NullableNumber,
  NullableString,
  namedObject,
  OrganizationId,
  oneOf,
  Timestamp,
} from '../../contract/fields.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { changeOrder } from '../../orders/change-orders.ts'
import { DryRun, OrderPreviews, withDryRun } from '../../orders/dry-run.ts'
import { anyOrder, ExchangeRate } from '../../orders/ledger/fields.ts'
import { takeInstants } from '../../orders/ledger/ledger-clock-store.ts'
import { paymentRule } from '../../orders/payments/create-payment.ts'
import { fullName } from '../../people/users/full-name.ts'
import { findLines, insertLines, type LineState } from './matching/line-store.ts'
import { matchCertain, openMatching, proposeMatches } from './matching/match-lines.ts'
import { countLine, outcomeOf, type StatementTotal } from './matching/match-statement.ts'
import { findNamedPayments, type Pairing, undoMatches } from './matching/match-store.ts'
import { lineIdentifier, lineOfInput, StatementLineInput } from './matching/statement-line.ts'

const mostLines = 1000
const mostDecisions = 100

const Outcome = namedObject('StatementLineOutcome', {
  line_id: Id,
  value_date: Type.String(),
  price: Money,
  currency: Type.String(),
  provider: Type.String(),
  charge_id: NullableString,
  reference: NullableString,
  payer: NullableString,
  description: NullableString,
  fee_price: described(Money, 'The fee that the gateway deducted: price + fee_price is the gross amount'),
  payout_id: NullableString,
  state: oneOf(['matched', 'proposed', 'unmatched']),
  payment_ids: Type.Array(Id),
  score: { ...NullableNumber, description: 'Certainty of a proposal, below 1' },
  reason: NullableString,
})

const NamedPayment = namedObject('StatementLinePayment', {
  payment_id: Id,
  order_id: described(Id, 'The order that the payment was recorded for'),
  user_id: Id,
  user_name: described(Type.String(), 'Current name of the user'),
  price: described(Money, 'Minor units of its own currency'),
  currency: Type.String(),
  completed_time: described(Timestamp, 'Time of the payment, as reported'),
})

const Input = Type.Object({
  corp_id: OrganizationId,
  lines: Type.Optional(
    Type.Array(StatementLineInput, {
      maxItems: mostLines,
      description: 'Lines of a statement; lines that are already stored do not change',
    }),
  ),
  undo: Type.Optional(
    Type.Array(Id, {
      maxItems: mostLines,
      description: 'Lines whose matches are undone, and not made again automatically',
    }),
  ),
  confirm: Type.Optional(
    Type.Array(
      namedObject('StatementMatch', {
        line_ids: Type.Array(Id, { minItems: 1, maxItems: mostDecisions }),
        payment_ids: Type.Array(Id, { minItems: 1, maxItems: mostDecisions }),
      }),
      {
        maxItems: mostDecisions,
        description: 'Lines and payments that belong together, with equal sums',
      },
    ),
  ),
  pay: Type.Optional(
    Type.Array(
      namedObject('StatementPayment', {
        line_id: Id,
        order_id: Id,
        exchange_rate: Type.Optional(
          described(ExchangeRate, 'Required if the currency differs from that of the order'),
        ),
      }),
      { maxItems: mostDecisions, description: 'Lines to record as payments of these orders' },
    ),
  ),
  dry_run: DryRun,
})

type MatchInput = Static<typeof Input>

/** Matches lines of statements to payments. */
export const matchStatementLines = endpoint({
  id: 'matchStatementLines',
  method: 'POST',
  path: '/api/v5/entity/finance/match',
  group: 'Finance',
  permission: 'finance',
  movesMoney: true,
  guard: { effect: 'changes', ...anyOrder },
  summary: 'Match lines of a statement to payments',
  description:
    'Makes certain matches: by charge, by reference and amount, several lines to one payment or one line to several. ' +
    'Proposes likely matches with a score and a reason, for `confirm`. Sending a line again changes nothing.',
  input: Input,
  data: Type.Object({
    lines: Type.Array(Outcome),
    payments: Type.Array(NamedPayment, { description: 'The payments that the lines name' }),
    totals: Type.Array(
      namedObject('StatementTotal', {
        currency: Type.String(),
        lines: Type.Integer(),
        total: { ...Money, description: 'matched + unmatched' },
        matched: Money,
        unmatched: Money,
      }),
    ),
    orders: OrderPreviews,
  }),
  example: {
    input: {
      corp_id: '0198c0de00007c41a2f0d8e6b4937215',
      lines: [
        { value_date: '2024-03-12', price: 1_280_000, currency: 'CNY', charge_id: 'ch_20240311_0001' },
        { value_date: '2024-03-12', price: 50_000, currency: 'CNY', description: 'Transfer' },
      ],
    },
    data: {
      lines: [
        {
          line_id: '5f1c8d0e7b2a9463c1e0f7a8d5b6924e',
          value_date: '2024-03-12',
          price: 1_280_000,
          currency: 'CNY',
          provider: '',
          charge_id: 'ch_20240311_0001',
          reference: null,
          payer: null,
          description: null,
          fee_price: 0,
          payout_id: null,
          state: 'matched',
          payment_ids: ['0198c0de44447c41a2f0d8e6b4937215'],
          score: null,
          reason: 'the same charge',
        },
        {
          line_id: '3c7f10a2b8d94e65f3071c2a9e8b4d60',
          value_date: '2024-03-12',
          price: 50_000,
          currency: 'CNY',
          provider: '',
          charge_id: null,
          reference: null,
          payer: null,
          description: 'Transfer',
          fee_price: 0,
          payout_id: null,
          state: 'proposed',
          payment_ids: ['0198c0de55557c41a2f0d8e6b4937215'],
          score: 0.8,
          reason: 'the same amount a day apart',
        },
      ],
      payments: [
        {
          payment_id: '0198c0de44447c41a2f0d8e6b4937215',
          order_id: '0198c0de11117c41a2f0d8e6b4937215',
          user_id: '0198c0de33337c41a2f0d8e6b4937215',
          user_name: '林晓',
          price: 1_280_000,
          currency: 'CNY',
          completed_time: '2024-03-11 09:30:00',
        },
        {
          payment_id: '0198c0de55557c41a2f0d8e6b4937215',
          order_id: '0198c0de22227c41a2f0d8e6b4937215',
          user_id: '0198c0de66667c41a2f0d8e6b4937215',
          user_name: '王芳',
          price: 50_000,
          currency: 'CNY',
          completed_time: '2024-03-11 16:02:10',
        },
      ],
      totals: [{ currency: 'CNY', lines: 2, total: 1_330_000, matched: 1_280_000, unmatched: 50_000 }],
    },
  },
  errors: ['orderNotFound', 'stateForbids', 'taken'],
  rules: ({ lines }) =>
    (lines ?? []).flatMap(({ price }, index) =>
      price === 0 ? [{ param: `lines/${index}/price`, reason: 'must not be 0' }] : [],
    ),

  handle: withDryRun(({ pay = [] }) => pay.map(({ order_id }) => order_id), matchLines),
})

async function matchLines(context: OrganizationContext, input: MatchInput) {
  const { db, organization } = context
  const { corp_id, time_zone, currency } = organization
  const identified = lineIdentifier()
  const lines = (input.lines ?? []).map((line) => identified(lineOfInput(line, { currency, provider: '' })))
  const given = lines.map(({ line_id }) => line_id)
  await db.transaction(async (tx) => {
    if (lines.length > 0) await insertLines(tx, corp_id, lines, context.now)
    await decide({ ...context, db: tx }, input)
    const matcher = { db: tx, newId: context.newId, executor_id: context.account.app_id }
    if (given.length > 0) await matchCertain(matcher, { corp_id, time_zone, lineIds: given })
  })
  const lineIds = [...new Set([...given, ...decidedLines(input)])]
  return readOutcomes(db, { corp_id, time_zone, lineIds })
}

function decidedLines({ undo = [], confirm = [], pay = [] }: MatchInput): string[] {
  return [...undo, ...confirm.flatMap(({ line_ids }) => line_ids), ...pay.map(({ line_id }) => line_id)]
}

/** Applies decisions of people: all of them, or none if one is refused. */
export async function decide(
  context: OrganizationContext,
  { undo = [], confirm = [], pay = [] }: Pick<MatchInput, 'undo' | 'confirm' | 'pay'>,
): Promise<void> {
  const { db: tx, organization, account, newId } = context
  const { corp_id } = organization
  const executor_id = account.app_id
  if (undo.length > 0) {
    if ((await findLines(tx, corp_id, undo)).length < new Set(undo).size)
      throw invalid('undo', 'names a line that does not exist')
    const [at] = await takeInstants(tx, corp_id, 1)
    await undoMatches(tx, corp_id, undo, { executor_id, at: at! })
  }
  for (const [index, pairing] of confirm.entries())
    await confirmOne({ db: tx, newId, executor_id }, corp_id, `confirm/${index}`, {
      ...pairing,
      reason: 'confirmed',
    })
  for (const [index, { line_id, order_id, exchange_rate }] of pay.entries()) {
    const [line] = await findLines(tx, corp_id, [line_id])
    if (!line || line.match_id !== null || line.price < 0)
      throw invalid(`pay/${index}`, 'must name an open incoming line')
    const { price, currency, value_date, description } = line
    const input = {
      ...{ corp_id, order_id, price, currency, source: 'import' as const },
      completed_time: `${value_date} 00:00:00`,
      charge_id: line.charge_id ?? line_id,
      // A person records the line: a voided payment of the charge does not prevent it.
      reinstate: true,
      ...(line.provider !== '' && { provider: line.provider }),
      ...(exchange_rate !== undefined && { exchange_rate }),
      ...(description !== null && { comments: description }),
    }
    const changer = { db: tx, corp_id, executor_id }
    const { payment_id } = await changeOrder(changer, { order_id, context, input }, paymentRule)
    const pairing = { line_ids: [line_id], payment_ids: [payment_id], reason: 'recorded from the line' }
    await confirmOne({ db: tx, newId, executor_id }, corp_id, `pay/${index}`, pairing, 'booked')
  }
}

async function confirmOne(
  matcher: Parameters<typeof openMatching>[0],
  corp_id: string,
  param: string,
  pairing: Omit<Pairing, 'score'>,
  state: LineState = 'matched',
): Promise<void> {
  const matching = await openMatching(matcher, corp_id, [pairing])
  const obstacle = matching.obstacleTo(pairing)
  if (obstacle !== undefined) throw invalid(param, obstacle)
  await matching.make([pairing], state)
}

async function readOutcomes(db: Queryable, scope: { corp_id: string; time_zone: string; lineIds: string[] }) {
  const proposed = await proposeMatches(db, scope)
  const stored = await findLines(db, scope.corp_id, scope.lineIds)
  const lines = stored.map((line) => outcomeOf(line, proposed.get(line.line_id)))
  const totals = new Map<string, StatementTotal>()
  for (const line of lines) countLine(totals, line)
  const named = [...new Set(lines.flatMap(({ payment_ids }) => payment_ids))]
  const payments = (await findNamedPayments(db, scope, named)).map(
    ({ name, first_name, last_name, ...payment }) => ({
      ...payment,
      user_name: fullName({ name, first_name, last_name }),
    }),
  )
  return { lines, payments, totals: [...totals.values()] }
}
