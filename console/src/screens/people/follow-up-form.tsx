import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { sayDone } from '../../parts/say-done.tsx'
import { Section } from './section.tsx'
import type { Person } from './use-people.ts'

interface Draft {
  content: string
  next: string
}

/** Unsaved follow-ups by staff member and person, kept until the page closes. */
const drafts = new Map<string, Draft>()
const noDraft: Draft = { content: '', next: '' }

function useDraft(key: string): [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(drafts.get(key) ?? noDraft)
  const keep = (changed: Draft) => {
    if (changed.content || changed.next) drafts.set(key, changed)
    else drafts.delete(key)
    setDraft(changed)
  }
  return [draft, keep]
}

/** Adds a follow-up with the time of the next call. */
export function FollowUpForm({ person }: { person: Person }) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const [draft, keepDraft] = useDraft(`${staff.staff_id} ${person.corp_id} ${person.user_id}`)
  const { content, next } = draft
  const create = useAction('createFollowUp')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (content.trim() === '') return
    // Local time of the school.
    const next_time = next ? `${next.replace('T', ' ')}:00` : undefined
    try {
      await create.run({ user_id: person.user_id, content: content.trim(), next_time })
      keepDraft(noDraft)
      sayDone({ said: t('people.followUpAdded') })
    } catch {
      // The form shows the error and keeps its text.
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
          onChange={(event) => keepDraft({ ...draft, content: event.currentTarget.value })}
        />
        <Group mt={6} align="end" justify="space-between">
          <TextInput
            size="xs"
            type="datetime-local"
            label={t('people.nextCall')}
            value={next}
            onChange={(event) => keepDraft({ ...draft, next: event.currentTarget.value })}
          />
          <Button size="xs" type="submit" loading={create.isRunning} disabled={content.trim() === ''}>
            {t('people.addFollowUp')}
          </Button>
        </Group>
        {create.error && <ErrorNotice error={create.error} />}
      </form>
    </Section>
  )
}
