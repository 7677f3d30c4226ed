import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, useAction } from '../../calls/call.ts'
import type { CallError } from '../../calls/call-error.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { perform } from '../../parts/preview-dialog.tsx'
import { readInternational } from './international-number.ts'
import { MergeDialog } from './merge-dialog.tsx'
import type { Person } from './people-filters.tsx'

const taken = 40901

/** Corrects a mobile number or an e-mail address. If another person has it, offers to merge both. */
export function ContactEditor({
  person,
  type,
  onClose,
}: {
  person: Person
  type: 'mobile' | 'email'
  onClose(): void
}) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [otherId, setOtherId] = useState<string>()
  const email = useAction('updateEmail')
  const mobile = useAction('updateMobile')
  const { user_id } = person
  const number = readNumber(text, person.area_code)
  const isMobile = type === 'mobile'
  const { run, error, isRunning, forgetError } = isMobile
    ? { ...mobile, run: () => mobile.run({ user_id, ...number! }) }
    : { ...email, run: () => email.run({ user_id, email: text.trim() }) }
  const label = t(isMobile ? 'people.changeMobile' : 'people.changeEmail')
  const isIncomplete = isMobile ? !number?.mobile : text.trim() === ''
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isIncomplete) return
    const isDone = await perform(run(), ({ batch_id }) => ({
      said: t(isMobile ? 'people.mobileChanged' : 'people.emailChanged'),
      ...(batch_id !== '' && { undo: () => call('undoChanges', { batch_id }) }),
    }))
    if (isDone) onClose()
  }
  return (
    <form onSubmit={(event) => void save(event)}>
      <Stack gap={6}>
        <Group gap="xs" wrap="nowrap" align="start">
          <TextInput
            size="xs"
            flex={1}
            autoFocus
            aria-label={label}
            type={isMobile ? 'tel' : 'email'}
            placeholder={isMobile ? `+${person.area_code || '86'}` : undefined}
            value={text}
            error={isMobile && number === null && text.length > 4 && t('people.noSuchCountry')}
            onChange={(event) => {
              setText(event.currentTarget.value)
              forgetError()
            }}
            onKeyDown={(event) => {
              event.stopPropagation()
              if (event.key === 'Escape') onClose()
            }}
          />
          <Button size="xs" type="submit" loading={isRunning} disabled={isIncomplete}>
            {t('common.save')}
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
        </Group>
        {error && <Refusal error={error} onMerge={setOtherId} />}
      </Stack>
      {otherId !== undefined && (
        <MergeDialog
          userIds={[user_id, otherId]}
          onClose={() => {
            setOtherId(undefined)
            forgetError()
          }}
        />
      )}
    </form>
  )
}

/** A refusal; if it names the person who has the contact, with a button to merge. */
function Refusal({ error, onMerge }: { error: CallError; onMerge(user_id: string): void }) {
  const { t } = useTranslation()
  if (error.code !== taken) return <ErrorNotice error={error} />
  const { user_id } = error.details
  const isNamed = typeof user_id === 'string'
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />} role="alert" p="xs">
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex={1}>
          {t(isNamed ? 'people.contactTaken' : 'people.contactTakenByOther')}
        </Text>
        {isNamed && (
          <Button size="compact-sm" onClick={() => onMerge(user_id)}>
            {t('leads.merge')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

/** The number as typed, of the country of the present number unless it starts with + or 00; null for an unknown country. */
function readNumber(text: string, area_code: string): { area_code: string; mobile: string } | null {
  const international = readInternational(text)
  if (international !== undefined) return international
  return { area_code: area_code || '86', mobile: text.normalize('NFKC').replace(/\D/g, '') }
}
