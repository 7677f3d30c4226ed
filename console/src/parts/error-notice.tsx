import { Alert, Progress as Bar, Group, Stack, Text, type TextProps, ThemeIcon } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../calls/call-error.ts'
import { currentLanguage, type Language, locales, useLanguage } from '../languages/language.ts'
import { serviceText } from '../languages/load-service-text.ts'
import { currencyOf, findRecord, textOf } from './cached-records.ts'
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
  unmerge_first: 'errors.unmergeFirst',
  merge_again: 'errors.mergeAgain',
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
  not_for_support: 'errors.notForSupport',
  support_is_open: 'errors.supportIsOpen',
  no_mail: 'errors.noMail',
  no_email: 'errors.noEmail',
} as const

/** A refusal without its own text: the sentence of the service, or else the kind of refusal. */
function useRefusalText() {
  const { t, i18n } = useTranslation()
  const language = useLanguage()
  const queries = useQueryClient()
  return (error: CallError): string => {
    const known = {
      language,
      currency: currencyOf(queries, error),
      nameOf: (id: string) => textOf(findRecord(queries, id, 'name')?.name),
    }
    const told = serviceText()?.refusalOf(error, known)
    if (told !== undefined) return told
    if (language === 'en') return error.message
    const kinds = [error.code, Math.trunc(error.code / 100)].map((kind) => `errors.refused.code${kind}`)
    const kind = kinds.find((key) => i18n.exists(key))
    return kind ? t(kind as 'errors.refused.code409') : error.message
  }
}

/** The lowest accepted price, if the service names one. */
function amountIn({ lowest_price, currency }: Record<string, unknown>, language: Language): string {
  if (typeof lowest_price !== 'number' || typeof currency !== 'string') return ''
  return formatMoney(lowest_price, currency, language)
}

/** The fault and its remedy, in one sentence. */
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

/** Says what went wrong and what to do. The details are for a report to the support. */
export function ErrorNotice({ error }: { error: unknown }) {
  const errorText = useErrorText()
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert" p="xs">
      <Text size="sm">{errorText(error)}</Text>
      {error instanceof CallError && error.code > 0 && <ErrorDetails error={error} />}
    </Alert>
  )
}

/** The sentence of the service is rendered on request only, so that the page does not show it twice. */
function ErrorDetails({ error: { code, message, requestId } }: { error: CallError }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <Text component="summary" size="xs" c="dimmed" mt={4} style={{ cursor: 'pointer' }}>
        {t('errors.details')}
      </Text>
      {isOpen && (
        <>
          <Text size="xs" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
            {t('errors.code', { code })}
            {requestId && ` · ${t('errors.requestId', { id: requestId })}`}
          </Text>
          <Text size="xs" c="dimmed" lang="en" style={{ overflowWrap: 'anywhere' }}>
            {message}
          </Text>
        </>
      )}
    </details>
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
  title?: string
  /** Says what the list would contain. */
  text: string
  icon?: IconName
  /** A button or link that adds the first record. */
  children?: ReactNode
}

/** Shown in place of an empty list. */
export function EmptyState({ title, text, icon = 'info', children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md" ta="center">
      <ThemeIcon size={44} radius="xl" variant="light" color="gray">
        <Icon name={icon} size={22} />
      </ThemeIcon>
      {title && <Text fw={600}>{title}</Text>}
      <Text size="sm" c="dimmed" maw="28rem">
        {text}
      </Text>
      {children}
    </Stack>
  )
}

/** Shown in place of a screen that the role may not use. */
export function NoPermission() {
  const { t } = useTranslation()
  return <EmptyState title={t('common.notAllowed')} text={t('common.whoAllows')} icon="key" />
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
