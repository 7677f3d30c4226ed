import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CallError } from '../calls/call-error.ts'
import { Icon } from './icon.tsx'

/** Refusals that have several reasons: the service tells which one it was. */
const reasons = {
  works_here: 'errors.worksHere',
  is_invited: 'errors.isInvited',
  not_yours: 'errors.notYours',
  some_not_yours: 'errors.someNotYours',
  unclaimed: 'errors.unclaimed',
  others_work: 'errors.othersWork',
  reveals_per_hour: 'errors.revealLimit',
} as const

/** What went wrong and what to do; the form beside it keeps what was typed. */
export function ErrorNotice({ error }: { error: unknown }) {
  const { t, i18n } = useTranslation()
  const key = error instanceof CallError ? `errors.code${error.code}` : ''
  const sentence = () => {
    if (!(error instanceof CallError)) return t('errors.unexpected')
    const reason = reasons[error.told.reason as keyof typeof reasons]
    if (reason) return t(reason, error.told)
    if (i18n.exists(key)) return t(key as 'errors.code40108')
    if (error.code === 0) return t('errors.network')
    if (error.code === 50001) return t('errors.unexpected')
    return error.message
  }
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert" p="xs">
      <Text size="sm">{sentence()}</Text>
      {error instanceof CallError && error.requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('errors.requestId', { id: error.requestId })}
        </Text>
      )}
    </Alert>
  )
}
