import { Alert, Progress as Bar, Group, Stack, Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../calls/call-error.ts'
import { currentLanguage, type Language, locales, useLanguage } from '../languages/language.ts'
import { formatMoney } from './format-money.ts'
import { Icon, type IconName } from './icon.tsx'

/** Texts of refusals by their `reason`. */
const reasons = {
  works_here: 'errors.worksHere',
  is_invited: 'errors.isInvited',
  not_yours: 'errors.notYours',
  some_not_yours: 'errors.someNotYours',
  unclaimed: 'errors.unclaimed',
  price_too_low: 'errors.priceTooLow',
  listed_price_too_low: 'errors.listedPriceTooLow',
  charge_too_low: 'errors.chargeTooLow',
  free_order: 'errors.freeOrder',
  no_list_price: 'errors.noListPrice',
  payments_by_finance: 'orders.paymentsByFinance',
  same_person: 'errors.samePerson',
  not_independent: 'errors.notIndependent',
  limits_changed: 'errors.limitsChanged',
  order_changed: 'errors.orderChanged',
  domain_not_ownable: 'errors.domainNotOwnable',
  domain_taken: 'errors.domainTaken',
  too_many_domains: 'errors.tooManyDomains',
  others_work: 'errors.othersWork',
  reveals_per_hour: 'errors.revealLimit',
  contact_searches: 'errors.contactSearches',
  nothing_due: 'errors.nothingDue',
  payment_void: 'errors.paymentVoid',
  not_invoiced: 'errors.notInvoiced',
  no_credit: 'errors.noCredit',
  refund_reversed: 'errors.refundReversed',
  payer_has_money: 'errors.payerHasMoney',
  payer_is_user: 'errors.payerIsUser',
  payer_erased: 'errors.payerErased',
} as const

/** The labels of parameters, for a refusal that names them. */
const labels = {
  price: 'fields.amount',
  reason: 'fields.reason',
  currency: 'fields.currency',
  method: 'fields.method',
  name: 'fields.name',
  email: 'fields.email',
  until: 'fields.until',
  listed_price: 'fields.listPrice',
  completed_time: 'orders.valueDate',
  coupon_ids: 'offerings.coupons',
  mobile: 'people.mobile',
} as const

/**
 * A refusal without words of its own. The sentence of the service says most, but it is English; other languages name the
 * fields, or the kind of refusal.
 */
function useRefusalText() {
  const { t, i18n } = useTranslation()
  const language = useLanguage()
  return ({ code, message, errors }: CallError): string => {
    if (language === 'en') return message
    const named = errors.flatMap(({ param }) => labels[param.split('/').at(-1) as keyof typeof labels] ?? [])
    const fields = [...new Set(named)].map((label) => t(label))
    if (fields.length > 0 && code < 40100)
      return t('errors.checkFields', { fields: new Intl.ListFormat(locales[language]).format(fields) })
    const kinds = [code, Math.trunc(code / 100)].map((kind) => `errors.refused.code${kind}`)
    const kind = kinds.find((key) => i18n.exists(key))
    return kind ? t(kind as 'errors.refused.code409') : message
  }
}

/** The lowest accepted price, if the service names one. */
function amountIn({ lowest_price, currency }: Record<string, unknown>, language: Language): string {
  if (typeof lowest_price !== 'number' || typeof currency !== 'string') return ''
  return formatMoney(lowest_price, currency, language)
}

/** What went wrong and what to do, in one sentence. */
export function useErrorText(): (error: unknown) => string {
  const { t, i18n } = useTranslation()
  const language = useLanguage()
  const refusalText = useRefusalText()
  return (error) => {
    if (!(error instanceof CallError)) return t('errors.unexpected')
    const reason = reasons[error.details.reason as keyof typeof reasons]
    if (reason) return t(reason, { ...error.details, amount: amountIn(error.details, language) })
    const key = `errors.code${error.code}`
    if (i18n.exists(key)) return t(key as 'errors.code40108')
    if (error.code === 0) return t('errors.network')
    if (error.code === 50001) return t('errors.unexpected')
    return refusalText(error)
  }
}

/** Says what went wrong and what to do. */
export function ErrorNotice({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert" p="xs">
      <Text size="sm">{errorText(error)}</Text>
      {error instanceof CallError && error.requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('errors.requestId', { id: error.requestId })}
        </Text>
      )}
    </Alert>
  )
}

/** A dimmed explanation. */
export function Hint({ children, ...style }: TextProps & { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" {...style}>
      {children}
    </Text>
  )
}

interface EmptyStateProps {
  /** Says what the list would contain. */
  text: string
  icon?: IconName
  /** A button or link that adds the first record. */
  children?: ReactNode
}

/** Shown in place of an empty list. */
export function EmptyState({ text, icon = 'info', children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" c="dimmed">
      <Icon name={icon} size={28} />
      <Text size="sm">{text}</Text>
      {children}
    </Stack>
  )
}

/** A progress bar; without a total it only shows activity. */
export function Progress({ label, done, total }: { label: string; done?: number; total?: number }) {
  useTranslation()
  const isKnown = done !== undefined && total !== undefined && total > 0
  const number = new Intl.NumberFormat(locales[currentLanguage()])
  return (
    <div aria-busy={!isKnown}>
      <Group justify="space-between" mb={4}>
        <Text size="sm">{label}</Text>
        {isKnown && <Hint>{`${number.format(done)} / ${number.format(total)}`}</Hint>}
      </Group>
      <Bar value={isKnown ? (done / total) * 100 : 100} animated={!isKnown} aria-label={label} />
    </div>
  )
}
