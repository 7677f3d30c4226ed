import type { Page } from './pages.ts'

/** A page of HTML with its content security policy. */
export function htmlPage(body: string, policy: string, headers: Page['headers'] = {}): Page {
  return {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, ...headers },
    body,
  }
}

/** Escapes text for a page, attributes included. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
