import { Anchor, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction, useCall } from '../../calls/call.ts'
import { Hint } from '../../parts/error-notice.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { useAdvisers, useCourseOptions } from '../../parts/use-advisers.ts'
import { readInternational } from './international-number.ts'
import { nameOfPerson } from './people-filters.tsx'

/** Shorter numbers belong to nobody. */
const fewestDigits = 7

/** A lead taken by phone. People who have the number already are shown while it is typed. */
export function LeadDialog({ title, onClose }: { title: string; onClose(): void }) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const navigate = useNavigate()
  const { options: advisers } = useAdvisers()
  const courses = useCourseOptions('course_code')
  const [areaCode, setAreaCode] = useState('86')
  const [mobile, setMobile] = useState('')
  const [name, setName] = useState('')
  const [source, setSource] = useState(t('people.lead.phone'))
  const [course, setCourse] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [adviser, setAdviser] = useState<string | null>(staff.staff_id)
  const take = useAction('takeLead')
  const international = readInternational(mobile)
  const number =
    international === undefined
      ? { area_code: areaCode, mobile: mobile.normalize('NFKC').replace(/\D/g, '') }
      : international
  return (
    <PreviewDialog
      title={title}
      isIncomplete={!number?.area_code || !number.mobile}
      onClose={onClose}
      act={async () => {
        const { user_id, is_user_exists, is_owner_set } = await take.run({
          ...number!,
          name: name.trim() || undefined,
          utm_source: source.trim() || undefined,
          course_code: course ?? undefined,
          note: note.trim() || undefined,
          owner_id: adviser ?? undefined,
        })
        void navigate({ to: '/people/$id', params: { id: user_id }, search: true })
        if (adviser !== null && !is_owner_set) return { said: t('people.lead.addedToOther') }
        return { said: t(is_user_exists ? 'people.lead.addedToKnown' : 'people.lead.added') }
      }}
    >
      <TextInput
        label={t('people.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <Group grow align="start" wrap="nowrap">
        <TextInput
          label={t('people.areaCode')}
          value={international?.area_code ?? areaCode}
          readOnly={!!international}
          inputMode="numeric"
          onChange={(event) => setAreaCode(event.currentTarget.value.replace(/\D/g, ''))}
        />
        <TextInput
          label={t('people.mobile')}
          value={mobile}
          type="tel"
          error={international === null && mobile.length > 4 && t('people.noSuchCountry')}
          onChange={(event) => setMobile(event.currentTarget.value.replace(/[^\d+＋０-９()\s-]/g, ''))}
          required
        />
      </Group>
      {number && <KnownPeople area_code={number.area_code} mobile={number.mobile} onOpen={onClose} />}
      <Group grow align="start">
        <TextInput
          label={t('people.source')}
          value={source}
          onChange={(event) => setSource(event.currentTarget.value)}
        />
        <Select
          label={t('fields.course')}
          data={courses}
          value={course}
          searchable
          clearable
          onChange={setCourse}
        />
      </Group>
      <Textarea
        label={t('people.lead.note')}
        value={note}
        autosize
        minRows={2}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Select
        label={t('fields.adviser')}
        data={advisers}
        value={adviser}
        searchable
        clearable
        onChange={setAdviser}
      />
    </PreviewDialog>
  )
}

/** The people who have the number already, masked as in every list. */
function KnownPeople({ area_code, mobile, onOpen }: { area_code: string; mobile: string; onOpen(): void }) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const [q] = useDebouncedValue(`+${area_code}${mobile}`, 300)
  const isLong = q.length > fewestDigits + area_code.length && mobile.length >= fewestDigits
  const { data } = useCall('searchUsers', { q, page_size: 5 }, { enabled: isLong })
  if (!isLong || !data || data.list.length === 0) return null
  return (
    <Stack gap={2} role="status">
      <Hint>{t('people.lead.known')}</Hint>
      {data.list.map((person) => (
        <Group key={person.user_id} gap="xs">
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/people/$id"
                params={{ id: person.user_id }}
                search={true}
                onClick={onOpen}
              />
            )}
          >
            {nameOfPerson(person)}
          </Anchor>
          <Text size="sm">{person.mobile}</Text>
          <Hint>
            {person.owner_ids.map(nameOf).join(t('common.listComma')) || t('people.lead.noAdviser')}
          </Hint>
        </Group>
      ))}
    </Stack>
  )
}
