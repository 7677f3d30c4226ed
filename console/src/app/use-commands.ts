import { useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { changeLanguage, currentLanguage } from '../languages/language.ts'
import type { IconName } from '../parts/icon.tsx'
import { places } from './navigation.tsx'
import { useSession } from './session.tsx'

export interface Command {
  id: string
  label: string
  icon: IconName
  run(): void
}

/** The commands of the search. */
export function useCommands(): Command[] {
  const { t } = useTranslation()
  const { can } = useSession()
  const navigate = useNavigate()
  const { toggleColorScheme } = useMantineColorScheme()
  const other = currentLanguage() === 'zh' ? 'en' : 'zh'
  return [
    ...places
      .filter(({ permission }) => can(permission))
      .map(
        ({ name }): Command => ({
          id: name,
          label: t(`frame.${name}`),
          icon: name,
          run: () => void navigate({ to: `/${name}` }),
        }),
      ),
    ...(can('write')
      ? [
          {
            id: 'import',
            label: t('leads.import'),
            icon: 'upload' as const,
            run: () => void navigate({ to: '/leads/import' }),
          },
        ]
      : []),
    { id: 'colours', label: t('commands.theme'), icon: 'moon', run: toggleColorScheme },
    {
      id: 'language',
      label: t(other === 'zh' ? 'frame.chinese' : 'frame.english'),
      icon: 'edit',
      run: () => void changeLanguage(other),
    },
  ]
}
