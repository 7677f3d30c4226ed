import { Button, Menu } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../parts/icon.tsx'
import { useSession } from './session.tsx'

const MySignIn = lazy(async () => ({ default: (await import('./my-sign-in.tsx')).MySignIn }))

export function PersonMenu() {
  const { t } = useTranslation()
  const { staff, organization, can, signOut } = useSession()
  const router = useRouter()
  const [isOpen, setOpen] = useState(false)
  const leave = async (everywhere: boolean) => {
    await signOut(everywhere)
    void router.navigate({ to: '/sign-in' })
  }
  return (
    <>
      <Menu position="bottom-end" width="target">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            rightSection={<Icon name="down" size={12} />}
          >
            {staff.name}
          </Button>
        </Menu.Target>
        <Menu.Dropdown miw="14rem">
          <Menu.Label>
            {t('frame.signedInAs', { name: staff.email, role: t(`roles.${organization.role}`) })}
          </Menu.Label>
          <Menu.Item leftSection={<Icon name="person" />} onClick={() => setOpen(true)}>
            {t('mySignIn.title')}
          </Menu.Item>
          {can('write') && (
            <Menu.Item
              leftSection={<Icon name="finance" />}
              onClick={() => void router.navigate({ to: '/cash-up' })}
            >
              {t('cashUp.title')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Icon name="signOut" />} onClick={() => void leave(false)}>
            {t('frame.signOut')}
          </Menu.Item>
          <Menu.Item onClick={() => void leave(true)}>{t('frame.signOutEverywhere')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isOpen && (
        <Suspense>
          <MySignIn isOpen close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
