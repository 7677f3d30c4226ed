import { Button, Fieldset, FileButton, Group, Image, Input, Stack, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '../../app/session.tsx'
import { base64Of } from '../../calls/base64-of.ts'
import { type DataOf, useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { sayDone } from '../../parts/preview-dialog.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { useStoredForm } from '../../parts/use-stored-form.ts'
import { Waiting } from '../../parts/waiting.tsx'
import { isReadableColor, SchoolColorField } from './school-color-field.tsx'

type Issuer = DataOf<'fetchIssuer'>

const bankDetails = ['bank_name', 'bank_account_name', 'bank_account_number', 'bank_code'] as const
const maxLogoBytes = 204_800

/** The name, address, bank details and logo on documents. */
export function IssuerForm() {
  const { data, error } = useCall('fetchIssuer', {})
  // A failed refetch must not discard input.
  if (!data) return error ? <ErrorNotice error={error} /> : <Waiting shape="form" />
  return <Form issuer={data} />
}

function Form({ issuer }: { issuer: Issuer }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { run, isRunning, error } = useAction('updateIssuer')
  const { wanted, edits, isEdited, edit, accept } = useStoredForm('fetchIssuer', issuer)
  const [isTooLarge, setTooLarge] = useState(false)
  const rotate = useAction('rotateCheckoutSecret')
  const [secret, setSecret] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const saved = await run(edits).catch(() => undefined)
    if (!saved) return
    accept(edits, saved)
    // The frame shows logo and colour.
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    sayDone({ said: t('settings.saved') })
  }
  const newSecret = async () => setSecret((await rotate.run({}).catch(() => undefined))?.secret)
  const choose = async (file: File | null) => {
    setTooLarge(file !== null && file.size > maxLogoBytes)
    if (!file || file.size > maxLogoBytes) return
    edit({ logo: base64Of(new Uint8Array(await file.arrayBuffer())) })
  }
  const line = (name: keyof Issuer) => (
    <TextInput
      key={name}
      label={t(`issuer.${name}`)}
      value={wanted[name]}
      onChange={(event) => edit({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <form onSubmit={submit}>
      <Fieldset legend={t('issuer.title')} maw="40rem">
        <Stack>
          <Hint>{t('issuer.hint')}</Hint>
          {line('legal_name')}
          <Textarea
            label={t('issuer.address')}
            value={wanted.address}
            onChange={(event) => edit({ address: event.currentTarget.value })}
            autosize
            minRows={2}
          />
          {line('tax_number')}
          {bankDetails.map(line)}
          <TextInput
            label={t('issuer.checkout_url')}
            description={t('issuer.checkoutHint')}
            value={wanted.checkout_url}
            onChange={(event) => edit({ checkout_url: event.currentTarget.value })}
          />
          <Input.Wrapper
            label={t('issuer.logo')}
            description={t('issuer.logoHint')}
            error={isTooLarge && t('issuer.logoTooLarge')}
            labelElement="div"
          >
            <FileButton accept="image/png,image/jpeg" onChange={(file) => void choose(file)}>
              {(props) => (
                <Button {...props} size="compact-sm" variant="default" display="block">
                  {t('issuer.chooseLogo')}
                </Button>
              )}
            </FileButton>
          </Input.Wrapper>
          {wanted.logo !== '' && (
            <Group>
              <Image
                src={`data:;base64,${wanted.logo}`}
                alt={t('issuer.logo')}
                h={54}
                w="auto"
                maw={150}
                fit="contain"
              />
              <Button size="compact-sm" variant="default" onClick={() => edit({ logo: '' })}>
                {t('issuer.removeLogo')}
              </Button>
            </Group>
          )}
          <SchoolColorField value={wanted.color} onChange={(color) => edit({ color })} />
          {error && <ErrorNotice error={error} />}
          <Group>
            <Button type="submit" loading={isRunning} disabled={!isEdited || !isReadableColor(wanted.color)}>
              {t('issuer.save')}
            </Button>
            {issuer.checkout_url !== '' && (
              <Button variant="default" loading={rotate.isRunning} onClick={() => void newSecret()}>
                {t('issuer.newSecret')}
              </Button>
            )}
          </Group>
          {rotate.error && <ErrorNotice error={rotate.error} />}
          {secret !== undefined && (
            <ShownOnce
              title={t('issuer.newSecret')}
              text={t('issuer.secretHint')}
              label={t('settings.secret')}
              value={secret}
              onClose={() => setSecret(undefined)}
            />
          )}
        </Stack>
      </Fieldset>
    </form>
  )
}
