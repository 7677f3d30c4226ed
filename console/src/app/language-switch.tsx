import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '../languages/language.ts'

/** Offers the other language in its own words. */
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
