import { Title } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

export function PeopleScreen() {
  const { t } = useTranslation()
  return (
    <>
      <Title order={1}>{t('people.title')}</Title>
      <Outlet />
    </>
  )
}
