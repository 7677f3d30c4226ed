import { ActionIcon, Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '../languages/language.ts'
import { Icon } from '../parts/icon.tsx'

export function ColorSchemeSwitch() {
  const { t } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t(isDark ? 'frame.light' : 'frame.dark')}
      title={t(isDark ? 'frame.light' : 'frame.dark')}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      <Icon name={isDark ? 'sun' : 'moon'} />
    </ActionIcon>
  )
}

/** Offers the other language under its own name. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation()
  const isChinese = i18n.language === 'zh'
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      lang={isChinese ? 'en' : 'zh-CN'}
      onClick={() => void changeLanguage(isChinese ? 'en' : 'zh')}
    >
      {t(isChinese ? 'frame.english' : 'frame.chinese')}
    </Button>
  )
}
