import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../parts/icon.tsx'
import { modifierKey } from './keys.ts'

const CommandDialog = lazy(async () => ({ default: (await import('./command-dialog.tsx')).CommandDialog }))

/** The search field of the header, and ⌘K in every field: open a dialog that is loaded then. */
export function CommandSearch() {
  const { t } = useTranslation()
  const [asked, setAsked] = useState(0)
  const open = () => setAsked((times) => times + 1)
  useHotkeys([['mod+K', open]], [], true)
  return (
    <>
      <Button
        size="compact-md"
        variant="default"
        c="dimmed"
        fw={400}
        leftSection={<Icon name="search" size={14} />}
        rightSection={<Kbd size="xs">{`${modifierKey()}K`}</Kbd>}
        onClick={open}
        visibleFrom="sm"
      >
        {t('frame.search')}
      </Button>
      <ActionIcon variant="subtle" color="gray" aria-label={t('frame.search')} onClick={open} hiddenFrom="sm">
        <Icon name="search" />
      </ActionIcon>
      {asked > 0 && (
        <Suspense>
          <CommandDialog asked={asked} />
        </Suspense>
      )}
    </>
  )
}
