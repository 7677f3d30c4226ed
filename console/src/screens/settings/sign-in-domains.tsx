import { Alert, Button, Fieldset, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataOf, type RowOf, useAction, useCall } from '../../calls/call.ts'
import { ConfirmedButton } from '../../parts/confirmed-button.tsx'
import { CopiedText } from '../../parts/copied-text.tsx'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Day, StateBadge } from '../../parts/instant.tsx'
import { sayDone } from '../../parts/preview-dialog.tsx'

/** The school's e-mail domains. Each takes effect once its TXT record or the operator verifies it. */
export function SignInDomains() {
  const { t } = useTranslation()
  const { data, error } = useCall('listSignInDomains', {})
  return (
    <Fieldset legend={t('domains.title')} maw="40rem">
      <Stack>
        <Hint>{t('domains.hint')}</Hint>
        {error && <ErrorNotice error={error} />}
        {data?.list.length === 0 && <Text size="sm">{t('domains.none')}</Text>}
        {data?.list.map((each) => (
          <DomainCard key={each.domain} {...each} />
        ))}
        <AddDomain />
      </Stack>
    </Fieldset>
  )
}

function DomainCard({ domain, is_verified, ...details }: RowOf<'listSignInDomains'>) {
  const { t } = useTranslation()
  const { run, isRunning, error } = useAction('verifySignInDomain')
  const [problem, setProblem] = useState<DataOf<'verifySignInDomain'>['problem']>('')
  const remove = useAction('removeSignInDomain')
  const check = async () => {
    setProblem('')
    const checked = await run({ domain }).catch(() => undefined)
    if (checked?.is_verified) sayDone({ said: t('domains.isVerified', { domain }) })
    else setProblem(checked?.problem ?? '')
  }
  return (
    <Paper withBorder p="sm" role="group" aria-label={domain}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600}>{domain}</Text>
          <StateBadge
            meaning={is_verified ? 'received' : 'soon'}
            label={t(is_verified ? 'domains.verified' : 'domains.pending')}
          />
        </Group>
        {is_verified ? (
          <Text size="sm" c="dimmed">
            {t(details.verified_by === 'dns' ? 'domains.byRecord' : 'domains.byOperator')} ·{' '}
            <Day at={details.verified_at} />
          </Text>
        ) : (
          <>
            <Text size="sm">{t('domains.publish', { domain })}</Text>
            <CopiedText label={t('domains.recordName')} value={details.record_name} />
            <CopiedText label={t('domains.recordValue')} value={details.record_value} />
          </>
        )}
        {problem !== '' && (
          <Alert role="status" p="xs" variant="light" color="red" icon={<Icon name="warning" />}>
            {t(`domains.problems.${problem}`)}
          </Alert>
        )}
        {error && <ErrorNotice error={error} />}
        <Group>
          {!is_verified && (
            <Button size="xs" loading={isRunning} onClick={() => void check()}>
              {t('domains.check')}
            </Button>
          )}
          <ConfirmedButton
            label={t('domains.remove')}
            text={t('domains.removeWill', { domain })}
            variant="light"
            color="red"
            act={async () => {
              await remove.run({ domain })
              return { said: t('domains.removed', { domain }) }
            }}
          />
        </Group>
      </Stack>
    </Paper>
  )
}

function AddDomain() {
  const { t } = useTranslation()
  const { run, isRunning, error } = useAction('addSignInDomain')
  const [domain, setDomain] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await run({ domain: domain.trim() }).catch(() => undefined)) setDomain('')
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            label={t('domains.domain')}
            description={t('domains.domainHint')}
            value={domain}
            onChange={(event) => setDomain(event.currentTarget.value)}
            flex={1}
          />
          <Button type="submit" variant="default" loading={isRunning} disabled={domain.trim() === ''}>
            {t('domains.add')}
          </Button>
        </Group>
        {error && <ErrorNotice error={error} />}
      </Stack>
    </form>
  )
}
