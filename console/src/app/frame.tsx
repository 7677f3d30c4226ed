import { AppShell, Group, ScrollArea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ColorSchemeSwitch, LanguageSwitch } from './color-scheme-switch.tsx'
import { CommandSearch } from './command-search.tsx'
import classes from './frame.module.css'
import { KeyHelp } from './key-help.tsx'
import { Navigation, PhoneTabs } from './navigation.tsx'
import { PersonMenu } from './person-menu.tsx'
import { ReadOnlyNotice } from './read-only-notice.tsx'
import { OwnSchoolMark, SchoolLine } from './school-mark.tsx'
import { SchoolSwitch } from './school-switch.tsx'
import { ScreenLoading } from './screen-error.tsx'
import { useScreensAhead } from './screens-ahead.ts'
import { SessionProvider, sessionQuery, useSession } from './session.tsx'
import { SupportNotice } from './support-notice.tsx'
import { overlays } from './theme.ts'

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
  useScreensAhead()
  return (
    <AppShell
      layout="alt"
      header={{ height: 48 }}
      navbar={{ width: 212, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      footer={{ height: { base: 56, sm: 0 } }}
      padding={{ base: 'sm', sm: 'lg' }}
      transitionDuration={0}
    >
      <a href="#content" className={classes.skip}>
        {t('frame.skip')}
      </a>
      <AppShell.Navbar p="xs" className={classes.side} aria-label={t('frame.navigation')}>
        <SchoolSwitch />
        <ScrollArea mt="xs">
          <Navigation onChoose={close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Header className={classes.bar}>
        <SchoolLine color={organization.color} />
        <Group h="100%" px={{ base: 'sm', sm: 'lg' }} justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Group hiddenFrom="sm">
              <OwnSchoolMark />
            </Group>
            <CommandSearch />
          </Group>
          <KeyHelp />
          <Group gap={4} wrap="nowrap">
            <LanguageSwitch />
            <ColorSchemeSwitch />
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Main id="content" tabIndex={-1}>
        <ReadOnlyNotice />
        <SupportNotice />
        {/* The key discards all state of another school. */}
        <Outlet key={organization.corp_id} />
        <div id={overlays} />
      </AppShell.Main>
      <AppShell.Footer hiddenFrom="sm" className={classes.tabs}>
        <PhoneTabs isOpen={isOpen} onMore={toggle} onChoose={close} />
      </AppShell.Footer>
    </AppShell>
  )
}
