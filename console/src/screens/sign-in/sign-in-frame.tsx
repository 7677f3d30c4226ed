import { Box, Center, Group, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageSwitch } from '../../app/color-scheme-switch.tsx'
import mark from '../../app/icon.svg'
import { SchoolLine, SchoolMark } from '../../app/school-mark.tsx'
import { useTabTitle } from '../../parts/use-tab-title.ts'
import { addressedSchool } from './addressed-school.ts'

/** The frame of the sign-in screens, in the look of the school that the address names. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation()
  useTabTitle(title, 'screen')
  const school = addressedSchool()
  return (
    <Center component="main" mih="100vh" p="md">
      <Box w="100%" maw="22rem">
        <Group justify="space-between" mb="md">
          <Group gap="xs">
            {school ? <SchoolMark school={school} /> : <img src={mark} alt="" width={22} height={22} />}
            <Text fw={600}>{school?.name ?? t('common.product')}</Text>
          </Group>
          <LanguageSwitch />
        </Group>
        <Paper withBorder p="lg" pos="relative" style={{ overflow: 'hidden' }}>
          {school && <SchoolLine color={school.color} />}
          <Title order={1} mb="md">
            {title}
          </Title>
          {children}
        </Paper>
      </Box>
    </Center>
  )
}

/** Reads the link from the fragment and removes it from the address, where others could read it. */
export function linkOfAddress(): string {
  const link = window.location.hash.slice(1)
  if (link !== '') window.history.replaceState(window.history.state, '', window.location.pathname)
  return link
}
