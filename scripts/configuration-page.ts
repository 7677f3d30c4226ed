import { secretFileSettings, settings } from '../src/config.ts'
import { table } from './markdown-table.ts'

/** The table of docs/configuration.md: every setting with its default, the values it takes and its meaning. */
export function settingsTable(): string {
  const rows = Object.entries({ ...settings, ...secretFileSettings }).map(([name, setting]) => [
    `\`${name}\``,
    shownDefault(setting),
    setting.meaning,
    sentence(setting.right),
  ])
  return table(['Setting', 'Default', 'Meaning', 'Accepted values'], rows)
}

function shownDefault(setting: { default?: string | undefined; defaultShown?: string }): string {
  if (setting.defaultShown) return setting.defaultShown
  return setting.default ? `\`${setting.default}\`` : ''
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
