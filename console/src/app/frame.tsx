import { AppShell, Burger, Group, ScrollArea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ColorSchemeSwitch, LanguageSwitch } from './color-scheme-switch.tsx'
import { CommandSearch } from './command-search.tsx'
import classes from './frame.module.css'
import { KeyHelp } from './key-help.tsx'
import { Navigation } from './navigation.tsx'
import { PersonMenu, SchoolSwitch } from './person-menu.tsx'
import { ScreenLoading } from './screen-error.tsx'
import { SessionProvider, sessionQuery, useSession } from './session.tsx'

/** The frame of every screen: school, search, person and navigation. */
export function Frame() {
  const { data: staff } = useQuery(sessionQuery)
  if (!staff) return <ScreenLoading />
  return (
    <SessionProvider staff={staff}>
      <Shell />
    </SessionProvider>
  )
}

function Shell() {
  const { t } = useTranslation()
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const { organization } = useSession()
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 192, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <a href="#content" className={classes.skip}>
        {t('frame.skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('frame.openNavigation')}
            />
            <SchoolSwitch />
          </Group>
          <CommandSearch />
          <KeyHelp />
          <Group gap={4} wrap="nowrap">
            <LanguageSwitch />
            <ColorSchemeSwitch />
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('frame.navigation')}>
        <ScrollArea>
          <Navigation onChoose={close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {/* The key discards all state of another school. */}
        <Outlet key={organization.corp_id} />
      </AppShell.Main>
    </AppShell>
  )
}
