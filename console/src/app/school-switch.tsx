import { Menu, UnstyledButton } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Icon } from '../parts/icon.tsx'
import classes from './frame.module.css'
import { OwnSchoolMark } from './school-mark.tsx'
import { useSession } from './session.tsx'

/** Shows the school. Another school needs another account, so switching signs out. */
export function SchoolSwitch() {
  const { t } = useTranslation()
  const { organization, signOut } = useSession()
  const router = useRouter()
  const leave = async () => {
    await signOut(false)
    void router.navigate({ to: '/sign-in' })
  }
  return (
    <Menu position="bottom-start" width="target">
      <Menu.Target>
        <UnstyledButton
          className={classes.brand}
          aria-label={t('frame.chooseSchool', { name: organization.name })}
        >
          <OwnSchoolMark />
          <span className={classes.school}>{organization.name}</span>
          <Icon name="down" size={12} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void leave()}>{t('frame.otherSchool')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
