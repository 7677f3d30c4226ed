import { Alert, Button, Checkbox, Fieldset, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../app/session.tsx'
import { call, type DataOf, useAction, useCall } from '../../calls/call.ts'
import { ConfirmedButton } from '../../parts/confirmed-button.tsx'
import { CopiedText } from '../../parts/copied-text.tsx'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { sayDone } from '../../parts/preview-dialog.tsx'
import { useStoredForm } from '../../parts/use-stored-form.ts'
import { Waiting } from '../../parts/waiting.tsx'
import { SignInDomains } from './sign-in-domains.tsx'

type Provider = DataOf<'fetchSignInProvider'>
const givenRoles = ['counsellor', 'finance', 'viewer'] as const

/** The school's sign-in provider and its e-mail domains. */
export function SignInTab() {
  const { data, error } = useCall('fetchSignInProvider', {})
  // A failed refetch must not discard input.
  if (!data) return error ? <ErrorNotice error={error} /> : <Waiting shape="form" />
  return (
    <Stack gap="lg">
      <ProviderForm before={data} />
      <SignInDomains />
    </Stack>
  )
}

function ProviderForm({ before }: { before: Provider }) {
  const { t } = useTranslation()
  const { run, isRunning, error } = useAction('updateSignInProvider')
  const isSet = before.issuer !== ''
  const { wanted, edits, isEdited, edit, discard, accept } = useStoredForm('fetchSignInProvider', before)
  const [secret, setSecret] = useState('')
  const remove = useAction('removeSignInProvider')
  const { issuer, client_id, email_domains, trusts_emails, default_role } = wanted
  const isOther = !isSet || issuer !== before.issuer || client_id !== before.client_id
  const isChanged = secret !== '' || isEdited
  const isWhole = issuer.trim() !== '' && client_id.trim() !== '' && (!isOther || secret !== '')

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const saved = await run({
      ...{ issuer: issuer.trim(), client_id: client_id.trim(), email_domains, trusts_emails },
      ...(secret && { client_secret: secret }),
      ...(default_role && { default_role: default_role as (typeof givenRoles)[number] }),
    }).catch(() => undefined)
    if (!saved) return
    accept(edits, saved)
    setSecret((now) => (now === secret ? '' : now))
    sayDone({ said: t('settings.saved') })
  }
  return (
    <form onSubmit={submit}>
      <Fieldset legend={t('provider.title')} maw="40rem">
        <Stack>
          <Hint>{t('provider.hint')}</Hint>
          {before.redirect_uri === '' ? (
            <Alert p="xs" variant="light" color="orange" icon={<Icon name="warning" />}>
              {t('provider.noAddress')}
            </Alert>
          ) : (
            <CopiedText
              label={t('provider.redirect')}
              description={t('provider.redirectHint')}
              value={before.redirect_uri}
            />
          )}
          <IssuerField value={issuer} onChange={(text) => edit({ issuer: text })} />
          <TextInput
            label={t('provider.client')}
            value={client_id}
            onChange={(event) => edit({ client_id: event.currentTarget.value })}
            required
          />
          <PasswordField
            label={t('provider.secret')}
            description={t(isOther ? 'provider.secretNeeded' : 'provider.secretKept')}
            autoComplete="off"
            value={secret}
            onChange={setSecret}
            required={isOther}
            withAsterisk={isOther}
          />
          <TagsInput
            label={t('provider.domains')}
            description={t('provider.domainsHint')}
            value={email_domains}
            onChange={(domains) => edit({ email_domains: domains.map((each) => each.toLowerCase()) })}
          />
          <Select
            label={t('provider.defaultRole')}
            description={t('provider.defaultRoleHint')}
            placeholder={t('provider.noRole')}
            data={givenRoles.map((value) => ({ value, label: t(`roles.${value}`) }))}
            value={default_role}
            onChange={(role) => edit({ default_role: role })}
            clearable
          />
          <Checkbox
            label={t('provider.trustsAddresses')}
            checked={trusts_emails}
            onChange={(event) => edit({ trusts_emails: event.currentTarget.checked })}
          />
          {error && <ErrorNotice error={error} />}
          <Group>
            <Button type="submit" loading={isRunning} disabled={!isChanged || !isWhole}>
              {t('common.save')}
            </Button>
            {isSet && (
              <ConfirmedButton
                label={t('provider.remove')}
                text={t('provider.removeWill')}
                size="sm"
                variant="light"
                color="red"
                act={async () => {
                  await remove.run({})
                  discard()
                  setSecret('')
                  return { said: t('provider.removed') }
                }}
              />
            )}
          </Group>
        </Stack>
      </Fieldset>
    </form>
  )
}

/** The address of the provider, with a button that tests it. */
function IssuerField({ value, onChange }: { value: string; onChange(text: string): void }) {
  const { t } = useTranslation()
  const { attempt, isRunning, error } = useAttempt()
  const [checked, setChecked] = useState<{ issuer: string; answer: DataOf<'checkSignInProvider'> }>()
  const issuer = value.trim()
  // The field follows the stored address, and may show another one by now.
  const answer = checked?.issuer === issuer ? checked.answer : undefined
  const check = async () => {
    setChecked(undefined)
    const found = await attempt(() => call('checkSignInProvider', { issuer }))
    if (found) setChecked({ issuer, answer: found })
  }
  return (
    <>
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          label={t('provider.issuer')}
          description={t('provider.issuerHint')}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          required
          flex={1}
        />
        <Button
          variant="default"
          loading={isRunning}
          disabled={value.trim() === ''}
          onClick={() => void check()}
        >
          {t('provider.check')}
        </Button>
      </Group>
      {error !== undefined && <ErrorNotice error={error} />}
      {answer && (
        <Alert
          role="status"
          p="xs"
          variant="light"
          color={answer.is_answering ? 'green' : 'red'}
          icon={<Icon name={answer.is_answering ? 'check' : 'warning'} />}
        >
          {answer.is_answering
            ? t('provider.responds', { address: answer.authorization_endpoint })
            : t('provider.notFound', {
                problem: t(`provider.problems.${answer.reason || 'not_a_provider'}`),
              })}
        </Alert>
      )}
    </>
  )
}
