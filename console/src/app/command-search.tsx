import { Button, Kbd } from '@mantine/core'
import { Spotlight, type SpotlightActionData, spotlight } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Icon } from '../parts/icon.tsx'
import { places } from './navigation.tsx'
import { useSession } from './session.tsx'

/** The field in the middle of the frame, and what opens under ⌘K. */
export function CommandSearch() {
  const { t } = useTranslation()
  const { can } = useSession()
  const navigate = useNavigate()
  const actions: SpotlightActionData[] = places
    .filter(({ permission }) => can(permission))
    .map(({ name }) => ({
      id: name,
      label: t(`frame.${name}`),
      leftSection: <Icon name={name} />,
      onClick: () => void navigate({ to: `/${name}` }),
    }))
  return (
    <>
      <Button
        size="compact-md"
        variant="default"
        c="dimmed"
        fw={400}
        leftSection={<Icon name="search" size={14} />}
        rightSection={<Kbd size="xs">{isApple() ? '⌘K' : 'Ctrl K'}</Kbd>}
        onClick={spotlight.open}
        visibleFrom="sm"
      >
        {t('frame.search')}
      </Button>
      <Spotlight
        actions={actions}
        shortcut="mod + K"
        searchProps={{ placeholder: t('frame.search'), 'aria-label': t('frame.search') }}
        nothingFound={t('table.nothing')}
        limit={12}
        transitionProps={{ duration: 0 }}
      />
    </>
  )
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform)
}
