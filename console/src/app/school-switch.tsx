import { Button, Menu, Text } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Icon } from '../parts/icon.tsx'
import { useSession } from './session.tsx'

/** Which school the screens are about; a plain name where there is but one. */
export function SchoolSwitch() {
  const { t } = useTranslation()
  const { staff, organization, chooseOrganization } = useSession()
  const router = useRouter()
  if (staff.organizations.length < 2)
    return (
      <Text fw={600} size="sm" truncate>
        {organization.name}
      </Text>
    )
  const choose = (corp_id: string) => {
    chooseOrganization(corp_id)
    // What was open belongs to the other school.
    void router.navigate({ to: '/today' })
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          fw={600}
          rightSection={<Icon name="down" size={12} />}
          aria-label={t('frame.chooseSchool', { name: organization.name })}
        >
          {organization.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {staff.organizations.map(({ corp_id, name, role }) => (
          <Menu.Item
            key={corp_id}
            onClick={() => choose(corp_id)}
            leftSection={corp_id === organization.corp_id ? <Icon name="check" /> : <span />}
            rightSection={
              <Text size="xs" c="dimmed">
                {t(`roles.${role}`)}
              </Text>
            }
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
