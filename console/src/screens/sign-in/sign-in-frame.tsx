import { Box, Center, Group, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import mark from '../../app/icon.svg'
import { LanguageSwitch } from '../../app/language-switch.tsx'

/** The frame of the sign-in screens. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Center component="main" mih="100vh" p="md">
      <Box w="100%" maw="22rem">
        <Group justify="space-between" mb="md">
          <Group gap="xs">
            <img src={mark} alt="" width={22} height={22} />
            <Text fw={600}>{t('common.product')}</Text>
          </Group>
          <LanguageSwitch />
        </Group>
        <Paper withBorder p="lg">
          <Title order={1} mb="md">
            {title}
          </Title>
          {children}
        </Paper>
      </Box>
    </Center>
  )
}
