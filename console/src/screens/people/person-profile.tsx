import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { useCall } from '../../calls/use-call.ts'
import { Hint } from '../../parts/hint.tsx'
import { EditableText } from './editable-text.tsx'
import { Section } from './section.tsx'
import type { Person } from './use-people.ts'

const members = ['name', 'gender', 'city', 'company_name', 'job_title', 'department', 'industry'] as const

export function PersonProfile({ person, isReadOnly }: { person: Person; isReadOnly: boolean }) {
  const { t } = useTranslation()
  const { user_id, version } = person
  const { data: profile } = useCall('fetchProfile', { user_id })
  const update = useAction('updateUser')
  return (
    <Section title={t('people.profile')}>
      <SimpleGrid cols={2} spacing="xs" verticalSpacing={4}>
        {members.map((name) => (
          <div key={name}>
            <Hint size="xs">{t(`people.members.${name}`)}</Hint>
            <EditableText
              label={t(`people.members.${name}`)}
              value={profile?.[name] ?? ''}
              isReadOnly={isReadOnly || !profile}
              save={(text) => update.run({ user_id, version, [name]: text })}
            />
          </div>
        ))}
      </SimpleGrid>
    </Section>
  )
}
