import i18next, { use } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { localSetting } from '../app/local-setting.ts'
import type { Words } from './en.ts'
import { type Language, locales } from './locales.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'words'
    resources: { words: Words }
  }
}

export { type Language, locales }

const chosen = localSetting('language')

/** Loads the texts of one language only. */
const loaders: Record<Language, () => Promise<object>> = {
  en: async () => (await import('./en.ts')).en,
  zh: async () => (await import('./zh.ts')).zh,
}

/** Starts in the language that the person chose, otherwise in the browser's. */
export async function startLanguage(): Promise<void> {
  const wanted = chosen.read() ?? navigator.languages.find((tag) => /^(en|zh)\b/i.test(tag)) ?? 'en'
  const language = wanted.toLowerCase().startsWith('zh') ? 'zh' : 'en'
  await use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    ns: ['words'],
    defaultNS: 'words',
    resources: { [language]: { words: await loaders[language]() } },
    // React escapes text.
    interpolation: { escapeValue: false },
  })
  showLanguage(language)
}

export async function changeLanguage(language: Language): Promise<void> {
  // First: the person may leave the page before the words arrive.
  chosen.write(language)
  i18next.addResourceBundle(language, 'words', await loaders[language]())
  await i18next.changeLanguage(language)
  showLanguage(language)
}

export function currentLanguage(): Language {
  return i18next.language as Language
}

/** The language of the screen; the component renders again when it changes. */
export function useLanguage(): Language {
  useTranslation()
  return currentLanguage()
}

function showLanguage(language: Language): void {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
}
