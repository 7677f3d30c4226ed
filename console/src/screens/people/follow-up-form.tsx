import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { sayDone } from '../../parts/say-done.tsx'
import { Section } from './section.tsx'
import type { Person } from './use-people.ts'

/** What was said, and when to call again. */
export function FollowUpForm({ person }: { person: Person }) {
  const { t } = useTranslation()
  const [content, setContent] = useState('')
  const [next, setNext] = useState('')
  const create = useAction('createFollowUp')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (content.trim() === '') return
    // As the clocks of the school show it.
    const next_time = next ? `${next.replace('T', ' ')}:00` : undefined
    try {
      await create.run({ user_id: person.user_id, content: content.trim(), next_time })
      setContent('')
      setNext('')
      sayDone({ said: t('people.followedUp') })
    } catch {
      // Shown below; what was typed stays.
    }
  }
  return (
    <Section title={t('people.followUp')}>
      <form onSubmit={submit}>
        <Textarea
          autosize
          minRows={2}
          aria-label={t('people.followUpContent')}
          placeholder={t('people.followUpContent')}
          value={content}
          maxLength={4000}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
        <Group mt={6} align="end" justify="space-between">
          <TextInput
            size="xs"
            type="datetime-local"
            label={t('people.nextCall')}
            value={next}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
          <Button size="xs" type="submit" loading={create.isRunning} disabled={content.trim() === ''}>
            {t('people.noteFollowUp')}
          </Button>
        </Group>
        {create.error && <ErrorNotice error={create.error} />}
      </form>
    </Section>
  )
}
