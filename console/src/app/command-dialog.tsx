import { Kbd, Modal, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import '@mantine/spotlight/styles.layer.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call, chosenOrganization } from '../calls/call.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { recentRecords } from '../parts/recent-records.ts'
import { type RecordCommand, recordCommands } from '../parts/record-commands.ts'
import { commandsFor, useCommands } from './commands.ts'

const shownOfEach = 5

const [store, spotlight] = createSpotlight()

/** Selects the first result. Spotlight does this while typing, but exports no function for it. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId)
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected')
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}

interface CommandDialogProps {
  /** Changes each time that the dialog is to open. */
  asked: number
  typed: string
  setTyped(typed: string): void
  /** Called when the field has the focus. */
  onReady(): void
}

/** Finds people, orders and commands. */
export function CommandDialog({ asked, typed, setTyped, onReady }: CommandDialogProps) {
  const { t } = useTranslation()
  useEffect(() => {
    if (asked > 0) spotlight.open()
  }, [asked])
  return (
    <Spotlight.Root
      store={store}
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      transitionProps={{ duration: 0 }}
      scrollable
      maxHeight="60vh"
    >
      <VisuallyHidden>
        <Modal.Title>{t('frame.search')}</Modal.Title>
      </VisuallyHidden>
      <Spotlight.Search
        placeholder={t('frame.search')}
        aria-label={t('frame.search')}
        data-command-search
        onFocus={onReady}
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        <Found typed={typed.trim()} />
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** Waits for both lists: people arriving later would move the orders below them. */
async function findBoth(q: string, signal: AbortSignal) {
  const search = { q, page_size: shownOfEach }
  const [people, orders] = await Promise.all([
    call('searchUsers', search, { signal }),
    call('searchOrders', search, { signal }),
  ])
  return { people: people.list, orders: orders.list }
}

/** The results: people, orders and commands. */
function Found({ typed }: { typed: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [sought] = useDebouncedValue(typed, 200)
  const commands = commandsFor(useCommands(), typed)
  const actions = commandsFor(recordCommands(), typed)
  const recent = typed === '' ? recentRecords() : []
  const { data, error, isFetching } = useQuery({
    queryKey: ['found', chosenOrganization(), sought],
    queryFn: ({ signal }) => findBoth(sought, signal),
    enabled: sought !== '',
    placeholderData: keepPreviousData,
  })
  // Spotlight selects the first row while typing; results that arrive later come above it.
  useEffect(() => {
    if (data) selectFirst()
  }, [data])
  const foundPeople = typed === '' ? [] : (data?.people ?? [])
  const foundOrders = typed === '' ? [] : (data?.orders ?? [])
  const isWaiting = typed !== '' && (isFetching || typed !== sought)
  const problem = error && !isWaiting ? <ErrorNotice error={error} /> : null
  if (actions.length + foundPeople.length + foundOrders.length + commands.length === 0)
    return <Spotlight.Empty>{problem ?? t(isWaiting ? 'common.loading' : 'table.nothing')}</Spotlight.Empty>
  return (
    <>
      {problem}
      {recent.length > 0 && (
        <Spotlight.ActionsGroup label={t('commands.recent')}>
          {recent.map(({ screen, id, name }) => (
            <Spotlight.Action
              key={id}
              label={name}
              description={t(`frame.${screen}`)}
              leftSection={<Icon name={screen === 'people' ? 'person' : 'orders'} />}
              onClick={() => void navigate({ to: `/${screen}/$id`, params: { id } })}
            />
          ))}
        </Spotlight.ActionsGroup>
      )}
      <CommandGroup label={t('commands.ofRecord')} commands={actions} />
      {foundPeople.length > 0 && (
        <Spotlight.ActionsGroup label={t('frame.people')}>
          {foundPeople.map(({ user_id, name, mobile, email }) => (
            <Spotlight.Action
              key={user_id}
              label={name || mobile || email}
              highlightQuery
              description={[name && mobile, email].filter(Boolean).join(' · ')}
              leftSection={<Icon name="person" />}
              onClick={() => void navigate({ to: '/people/$id', params: { id: user_id } })}
            />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {foundOrders.length > 0 && (
        <Spotlight.ActionsGroup label={t('frame.orders')}>
          {foundOrders.map(({ order_id, user_name, course_name, external_id }) => (
            <Spotlight.Action
              key={order_id}
              label={[user_name, course_name].filter(Boolean).join(' · ')}
              description={external_id || order_id}
              leftSection={<Icon name="orders" />}
              onClick={() => void navigate({ to: '/orders/$id', params: { id: order_id } })}
            />
          ))}
        </Spotlight.ActionsGroup>
      )}
      <CommandGroup label={t('commands.title')} commands={commands} />
    </>
  )
}

function CommandGroup({ label, commands }: { label: string; commands: RecordCommand[] }) {
  if (commands.length === 0) return null
  return (
    <Spotlight.ActionsGroup label={label}>
      {commands.map(({ id, label: name, icon, keys, run }) => (
        <Spotlight.Action
          key={id}
          label={name}
          leftSection={<Icon name={icon} />}
          rightSection={keys && <Kbd size="xs">{keys}</Kbd>}
          onClick={run}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}
