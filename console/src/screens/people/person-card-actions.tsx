import { ActionIcon, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../parts/icon.tsx'
import { useReach } from '../../parts/use-advisers.ts'
import { ClaimButton } from '../leads/claim-button.tsx'
import { CallButton } from './call-button.tsx'
import { nameOfPerson, type Person } from './people-filters.tsx'
import { useRevealed } from './use-revealed.ts'

const LogDialog = lazy(async () => ({ default: (await import('../today/log-dialog.tsx')).LogDialog }))
const TagDialog = lazy(async () => ({ default: (await import('./person-orders.tsx')).TagDialog }))
const NewOrderDialog = lazy(async () => ({
  default: (await import('../orders/new-order-dialog.tsx')).NewOrderDialog,
}))

type Dialog = 'log' | 'tag' | 'order'

/** The next step with a person, and a menu of the others, on the card of a phone. */
export function PersonCardActions({ person }: { person: Person }) {
  const revealed = useRevealed(person.user_id)
  const reach = useReach()(person)
  const { user_id, pool, holder_id } = person
  if (reach === 'unclaimed')
    return (
      <ClaimButton userId={user_id} name={nameOfPerson(person)} pool={pool} holderId={holder_id} isNext />
    )
  if (reach !== 'own') return null
  return (
    <>
      <MoreActions person={person} />
      {person.mobile && <CallButton revealed={revealed} />}
    </>
  )
}

/** The menu exists once it is opened: a list has fifty of them. */
function MoreActions({ person }: { person: Person }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState<boolean>()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const { user_id } = person
  const name = nameOfPerson(person)
  const button = (
    <ActionIcon
      size={40}
      variant="default"
      aria-label={t('people.actionsFor', { name })}
      onClick={() => setOpen(!isOpen)}
    >
      <Icon name="more" />
    </ActionIcon>
  )
  return (
    <>
      {isOpen === undefined ? (
        button
      ) : (
        <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
          <Menu.Target>{button}</Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setDialog('log')}>{t('record.log')}</Menu.Item>
            <Menu.Item onClick={() => setDialog('tag')}>{t('people.addTag')}</Menu.Item>
            <Menu.Item onClick={() => setDialog('order')}>{t('orders.add')}</Menu.Item>
            <Menu.Item onClick={() => void navigate({ to: '/people/$id', params: { id: user_id } })}>
              {t('record.openPage')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <Suspense>
        {dialog === 'log' && <LogDialog {...{ user_id, name, done: close }} onClose={close} />}
        {dialog === 'tag' && <TagDialog person={person} onClose={close} />}
        {dialog === 'order' && <NewOrderDialog userId={user_id} onClose={close} />}
      </Suspense>
    </>
  )
}
