import { Progress as Bar, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { currentLanguage, locales } from '../languages/language.ts'
import { Hint } from './hint.tsx'

/** A progress bar; without a total it only shows activity. */
export function Progress({ label, done, total }: { label: string; done?: number; total?: number }) {
  useTranslation()
  const isKnown = done !== undefined && total !== undefined && total > 0
  const number = new Intl.NumberFormat(locales[currentLanguage()])
  return (
    <div aria-busy={!isKnown}>
      <Group justify="space-between" mb={4}>
        <Text size="sm">{label}</Text>
        {isKnown && <Hint>{`${number.format(done)} / ${number.format(total)}`}</Hint>}
      </Group>
      <Bar value={isKnown ? (done / total) * 100 : 100} animated={!isKnown} aria-label={label} />
    </div>
  )
}
