import { Anchor, Code, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PlaceLoading } from '../../app/screen-error.tsx'

import { useSession } from '../../app/session.tsx'
import type { Guide, Step } from '../../languages/help-en.ts'
import { type Language, useLanguage } from '../../languages/language.ts'
import type { Stories } from '../../languages/stories-en.ts'
import { ScreenHead, ScreenTabs } from '../../parts/screen-tabs.tsx'
import classes from './help.module.css'

type Role = keyof Stories

/** The guide and the stories in a language. */
const guides: Record<Language, () => Promise<[{ guide: Guide }, { stories: Stories }]>> = {
  en: () => Promise.all([import('../../languages/help-en.ts'), import('../../languages/stories-en.ts')]),
  zh: () => Promise.all([import('../../languages/help-zh.ts'), import('../../languages/stories-zh.ts')]),
}

/** Screenshots that the browser tests take. */
const pictures = import.meta.glob<string>('../../../../docs/pictures/*.png', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** A picture of each scene of a role's day. */
const scenes = import.meta.glob<string>('../../../../docs/pictures/stories/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** A guide per role, the reader's own first. */
export function HelpScreen() {
  const { t } = useTranslation()
  const language = useLanguage()
  const { role } = useSession().organization
  const { data } = useQuery({ queryKey: ['guide', language], queryFn: guides[language], staleTime: Infinity })
  const others = (['counsellor', 'finance', 'admin', 'viewer'] as const).filter((each) => each !== role)
  if (!data) return <PlaceLoading place="help" />
  const [{ guide }, { stories }] = data
  return (
    <>
      <ScreenHead title={t('frame.help')}>
        <Anchor href="/docs/guide" size="sm">
          {t('help.forIntegrators')}
        </Anchor>
        <Anchor href="/docs" size="sm">
          {t('help.forDevelopers')}
        </Anchor>
      </ScreenHead>
      <ScreenTabs
        tabs={[
          { name: 'everyone', label: t('help.everyone'), content: () => <Steps steps={guide.everyone} /> },
          ...[role, ...others].map((each) => ({
            name: each,
            label: t(`roles.${each}`),
            content: () => (
              <>
                <Steps steps={guide[each]} />
                <StoryOf role={each} story={stories[each]} />
              </>
            ),
          })),
        ]}
      />
    </>
  )
}

function Steps({ steps }: { steps: Record<string, Step> }) {
  const { i18n } = useTranslation()
  return (
    <Stack gap="xl" maw="46rem">
      {Object.entries(steps).map(([name, { title, text, picture }]) => {
        const source = picture && pictures[`../../../../docs/pictures/${picture}-${i18n.language}.png`]
        return (
          <section key={name}>
            <Title order={2} mb={4}>
              {title}
            </Title>
            {text.map((paragraph) => (
              <Text key={paragraph} mb="xs">
                <Marked text={paragraph} />
              </Text>
            ))}
            {source && <img src={source} alt={title} className={classes.picture} loading="lazy" />}
          </section>
        )
      })}
    </Stack>
  )
}

/** A working day in pictures, each with what happens in it. */
function StoryOf({ role, story: { title, scenes: texts } }: { role: Role; story: Stories[Role] }) {
  const { i18n } = useTranslation()
  return (
    <Stack component="section" gap="lg" maw="46rem" mt="xl">
      <Title order={2}>{title}</Title>
      {Object.entries(texts).map(([scene, text]) => {
        const source = scenes[`../../../../docs/pictures/stories/${role}-${scene}-${i18n.language}.webp`]
        return (
          <figure key={scene} className={classes.scene}>
            <Text component="figcaption" mb={4}>
              {text}
            </Text>
            {source && <img src={source} alt="" className={classes.picture} loading="lazy" />}
          </figure>
        )
      })}
    </Stack>
  )
}

/** Shows text between backticks as a key or a word of the screen. */
function Marked({ text }: { text: string }) {
  return (
    text
      .split('`')
      // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes.
      .map((part, index) => (index % 2 === 1 ? <Code key={index}>{part}</Code> : part))
  )
}
