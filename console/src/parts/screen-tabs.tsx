import { Group, Tabs, Title } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Search } from '../app/session.tsx'
import { AfterHeading, useIsAfterHeading } from './after-heading.tsx'
import { Hint } from './error-notice.tsx'
import { useTabTitle } from './use-tab-title.ts'

export interface ScreenTab {
  name: string
  label: string
  content(): ReactNode
}

/** The tabs of a screen; the open one is in the address. */
export function ScreenTabs({ tabs }: { tabs: ScreenTab[] }) {
  const { tab } = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const open = tabs.find(({ name }) => name === tab) ?? tabs[0]
  useTabTitle(open?.label ?? '', 'tab')
  if (!open) return null
  return (
    <AfterHeading>
      <Tabs
        value={open.name}
        onChange={(name) => void navigate({ to: '.', search: { tab: name ?? undefined } as never })}
        keepMounted={false}
      >
        <Tabs.List mb="sm">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name} ref={name === open.name ? keepInSight : undefined}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, content }) => (
          <Tabs.Panel key={name} value={name}>
            {name === open.name && content()}
          </Tabs.Panel>
        ))}
      </Tabs>
    </AfterHeading>
  )
}

/** Many tabs scroll: the open one may be out of sight. */
function keepInSight(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** The title line of a screen, with a count and buttons. */
export function ScreenHead({
  title,
  count,
  children,
}: {
  title: string
  count?: ReactNode
  children?: ReactNode
}) {
  const isAfterHeading = useIsAfterHeading()
  useTabTitle(title, 'screen')
  return (
    <Group justify="space-between" mb="sm" mih={30}>
      <Group gap="sm" align="baseline">
        <Title order={1}>{title}</Title>
        {count !== undefined && <Hint>{count}</Hint>}
      </Group>
      <Group gap="xs">{isAfterHeading && children}</Group>
    </Group>
  )
}
