export type Language = 'en' | 'zh'

/** Locale of dates and numbers in each language. */
export const locales: Record<Language, string> = { en: 'en-GB', zh: 'zh-CN' }
