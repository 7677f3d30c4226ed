import type { IncomingMessage } from 'node:http'

export type Language = 'en' | 'zh'

/** The language that the reader chose with `?language=`, otherwise the first one of the browser. */
export function languageOf({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): Language {
  const chosen = new URLSearchParams(url.split('?')[1]).get('language')
  if (chosen === 'en' || chosen === 'zh') return chosen
  return /^\s*zh\b/i.test(headers['accept-language'] ?? '') ? 'zh' : 'en'
}
