import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/call.ts'
import { useErrorText } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { perform } from '../../parts/preview-dialog.tsx'
import { useRecordCommands } from '../../parts/record-commands.ts'
import { usePublicPool, useReach } from '../../parts/use-advisers.ts'
import { NewOrderDialog } from '../orders/new-order-dialog.tsx'
import { CallButton } from './call-button.tsx'
import { ErasePersonDialog } from './erase-person-dialog.tsx'
import { MergeWithDialog } from './merge-with-dialog.tsx'
import { nameOfPerson, type Person } from './people-filters.tsx'
import { TagDialog } from './person-orders.tsx'
import { followUpBlock } from './person-timeline.tsx'
import type { Revealed } from './use-revealed.ts'

type Dialog = 'tag' | 'order' | 'merge' | 'erase'

/** The actions on a person. */
export function PersonActions({ person, revealed }: { person: Person; revealed: Revealed }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const navigate = useNavigate()
  const isOwn = useReach()(person) === 'own'
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const { user_id } = person
  useRecordCommands(
    can('write') && isOwn
      ? [
          // After the command search has closed and returned the focus.
          {
            ...{ id: 'log', label: t('record.log'), icon: 'phone' },
            run: () => requestAnimationFrame(focusFollowUp),
          },
          { id: 'tag', label: t('people.addTag'), icon: 'tag', run: () => setDialog('tag') },
          { id: 'order', label: t('orders.add'), icon: 'orders', run: () => setDialog('order') },
          { id: 'merge', label: t('leads.merge'), icon: 'people', run: () => setDialog('merge') },
        ]
      : [],
  )
  if (!can('write')) return null
  return (
    <>
      {isOwn && (
        <>
          {person.mobile && <CallButton revealed={revealed} />}
          <Button size="xs" variant="default" onClick={focusFollowUp}>
            {t('record.log')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('tag')}>
            {t('people.addTag')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('order')}>
            {t('orders.add')}
          </Button>
        </>
      )}
      <HoldButton person={person} />
      {isOwn && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size={30} variant="default" aria-label={t('record.more')}>
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setDialog('merge')}>{t('leads.merge')}</Menu.Item>
            {can('admin') && (
              <Menu.Item c="var(--mantine-color-error)" onClick={() => setDialog('erase')}>
                {t('record.erase')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog === 'tag' && <TagDialog person={person} onClose={close} />}
      {dialog === 'order' && <NewOrderDialog userId={user_id} onClose={close} />}
      {dialog === 'merge' && <MergeWithDialog user_id={user_id} onClose={close} />}
      {dialog === 'erase' && (
        <ErasePersonDialog
          user_id={user_id}
          name={nameOfPerson(person)}
          onClose={close}
          onErased={() => void navigate({ to: '/people' })}
        />
      )}
    </>
  )
}

function focusFollowUp(): void {
  const block = document.getElementById(followUpBlock)
  block?.scrollIntoView({ block: 'center' })
  block?.querySelector('textarea')?.focus()
}

/** Claims or releases a person. Counsellors claim in the notice above the sections. */
function HoldButton({ person }: { person: Person }) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const publicPool = usePublicPool()
  const isOwn = useReach()(person) === 'own'
  const claim = useAction('claimUser')
  const release = useAction('releaseUser')
  const { user_id, holder_id, pool } = person
  const errorText = useErrorText()
  const owner_id = staff.staff_id
  const isMine = holder_id === owner_id
  if (!isOwn || (!isMine && (holder_id !== null || pool !== publicPool))) return null
  const [action, undo] = isMine ? [release, claim] : [claim, release]
  const said = t(isMine ? 'people.released' : 'people.claimed', { name: nameOfPerson(person) })
  const run = () =>
    perform<unknown>(action.run({ user_id, owner_id }), () => ({
      said,
      undo: () => undo.run({ user_id, owner_id }),
    }))
  const error = claim.error ?? release.error
  return (
    <>
      {error && (
        <Text size="xs" c="red" role="alert">
          {errorText(error)}
        </Text>
      )}
      <Button
        size="xs"
        variant="default"
        loading={claim.isRunning || release.isRunning}
        onClick={() => void run()}
      >
        {t(isMine ? 'people.release' : 'people.claim')}
      </Button>
    </>
  )
}
