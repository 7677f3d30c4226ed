import { Group, MultiSelect, NumberInput, Select, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type RowOf, useCall } from '../../calls/call.ts'
import { useLanguage } from '../../languages/language.ts'
import { majorText } from '../../parts/amount-text.ts'
import { DateField } from '../../parts/date-field.tsx'
import { formatMoney } from '../../parts/format-money.ts'
import { MoneyInput } from '../../parts/money-input.tsx'
import { useAllowance } from '../../parts/use-allowance.ts'
import { dayOf } from '../../parts/zoned-time.ts'
import { PersonPicker } from '../people/person-picker.tsx'
import { DryRunDialog } from './dry-run-dialog.tsx'
import { useCouponOptions } from './use-coupon-options.ts'
import { useDiscountHint } from './use-discount-hint.ts'

interface NewOrderDialogProps {
  /** The student. Absent: the dialog asks. */
  userId?: string
  onClose(): void
}

interface TypedAmount {
  amount: number | undefined
  /** The text is no amount. */
  isWrong: boolean
}
const nothing: TypedAmount = { amount: undefined, isWrong: false }

/** Creates an order after a preview of its instalments. */
export function NewOrderDialog({ userId, onClose }: NewOrderDialogProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const language = useLanguage()
  const { organization } = useSession()
  const { isLimited, discountPercent } = useAllowance()
  const discountHint = useDiscountHint()
  const today = dayOf(new Date(), organization.time_zone)
  const [user, setUser] = useState(userId ?? null)
  const [course, setCourse] = useState<string | null>(null)
  const [batch, setBatch] = useState<string | null>(null)
  const [price, setPrice] = useState<TypedAmount>(nothing)
  const [discount, setDiscount] = useState<TypedAmount>(nothing)
  const [coupons, setCoupons] = useState<string[]>([])
  const [count, setCount] = useState(1)
  const [deadline, setDeadline] = useState('')
  const { data: courses } = useCall('listCourses', { page_size: 1000, is_active: 'true' })
  const { data: batches } = useCall(
    'listBatches',
    { course_id: course ?? undefined, page_size: 1000, is_active: 'true' },
    { enabled: course !== null },
  )
  const chosen = courses?.list.find(({ course_id }) => course_id === course)
  const currency = chosen?.currency ?? organization.currency
  const couponOptions = useCouponOptions(currency)
  // A counsellor sells at the list price, so they need a course.
  const isPriced = course !== null || (!isLimited && price.amount !== undefined)
  const isPlanned = count === 1 || deadline !== ''
  const isWhole = user !== null && isPlanned && isPriced && !price.isWrong && !discount.isWrong
  const input = isWhole
    ? {
        user_id: user,
        source: 'console' as const,
        ...(course !== null && { course_id: course }),
        ...(batch !== null && { batch_id: batch }),
        ...(price.amount !== undefined && { listed_price: price.amount }),
        ...(discount.amount ? { manual_discount: discount.amount } : {}),
        ...(coupons.length > 0 && { coupon_ids: coupons }),
        installment_count: count,
        ...(deadline && { first_payment_deadline: deadline }),
      }
    : undefined
  const listed = price.amount ?? chosen?.listed_price
  const reduction = (total: number) => (listed ?? total) - total
  const amountText = (amount: number) => formatMoney(amount, currency, language)
  return (
    <DryRunDialog
      operation="createOrder"
      title={t('orders.add')}
      confirmLabel={() => t('orders.create')}
      input={input}
      said={(made) =>
        t('orders.createDone', {
          amount: formatMoney(made.total_price, made.currency, language),
        })
      }
      note={({ total_price }) =>
        reduction(total_price) > 0 && (
          <Text size="sm">
            {t('orders.discountEffect', {
              listed: amountText(listed ?? 0),
              discount: amountText(reduction(total_price)),
              total: amountText(total_price),
            })}
          </Text>
        )
      }
      onClose={onClose}
      onDone={({ order_id }) => void navigate({ to: '/orders/$id', params: { id: order_id } })}
    >
      {userId === undefined && <PersonPicker value={user} onChange={setUser} />}
      <Group grow align="flex-end">
        <Select
          label={t('fields.course')}
          description={isLimited ? t('orders.courseNeeded') : undefined}
          required={isLimited}
          data={courses?.list.map(({ course_id, name }) => ({ value: course_id, label: name })) ?? []}
          value={course}
          onChange={(value) => {
            setCourse(value)
            setBatch(null)
            // Amounts and coupons typed for another course do not apply.
            setPrice(nothing)
            setDiscount(nothing)
            setCoupons([])
          }}
          searchable
          clearable
        />
        <Select
          label={t('orders.batch')}
          data={batchOptions(batches?.list ?? [], today, [t('orders.nextBatches'), t('orders.pastBatches')])}
          value={batch}
          onChange={setBatch}
          disabled={course === null}
          clearable
        />
      </Group>
      <Group grow align="flex-start">
        <MoneyInput
          key={`price ${course}`}
          label={t('fields.listPrice')}
          currency={currency}
          value={price === nothing ? chosen?.listed_price : price.amount}
          placeholder={chosen && majorText(chosen.listed_price, currency)}
          onChange={(amount, isWrong) => setPrice({ amount, isWrong })}
          disabled={isLimited}
          description={isLimited ? t('orders.pricesByFinance') : undefined}
        />
        <MoneyInput
          key={`discount ${course}`}
          label={t('orders.discount')}
          currency={currency}
          value={undefined}
          onChange={(amount, isWrong) => setDiscount({ amount, isWrong })}
          disabled={discountPercent === 0}
          description={discountHint}
        />
      </Group>
      <MultiSelect
        label={t('offerings.coupons')}
        data={couponOptions}
        value={coupons}
        onChange={setCoupons}
        disabled={isLimited}
        description={isLimited ? t('orders.couponsByFinance') : undefined}
        searchable
        clearable
      />
      <Group grow>
        <NumberInput
          label={t('orders.instalmentCount')}
          min={1}
          max={60}
          value={count}
          onChange={(value) => setCount(Math.min(60, Math.max(1, Number(value) || 1)))}
        />
        <DateField
          leaning="later"
          label={t('orders.firstDueDate')}
          required={count > 1}
          error={!isPlanned && t('orders.deadlinesNeeded')}
          value={deadline}
          onChange={setDeadline}
        />
      </Group>
    </DryRunDialog>
  )
}

type Batch = RowOf<'listBatches'>

/** Intakes as options: those that start next first, then those that have started, the latest first. */
function batchOptions(batches: Batch[], today: string, [next, past]: [string, string]) {
  const option = ({ batch_id, name }: Batch) => ({ value: batch_id, label: name })
  const byStart = batches.toSorted((one, other) => (one.start_date < other.start_date ? -1 : 1))
  const isPast = ({ start_date }: Batch) => start_date !== '' && start_date < today
  const groups = [
    { group: next, items: byStart.filter((batch) => !isPast(batch)).map(option) },
    { group: past, items: byStart.filter(isPast).toReversed().map(option) },
  ]
  return groups.filter(({ items }) => items.length > 0)
}
