import { useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { changeLanguage, currentLanguage } from '../languages/language.ts'
import type { IconName } from '../parts/icon.tsx'
import type { RecordCommand } from '../parts/record-commands.ts'
import { addKeys, goKeys } from './keys.ts'
import { places } from './navigation.tsx'
import { type Permission, type Search, useSession } from './session.tsx'

/** An action that the command search offers on every screen. */
export interface Command extends RecordCommand {
  /** Other words for it, in lower case. */
  words: string
}

interface Task {
  id: keyof typeof tasks
  permission: Permission
  icon: IconName
  to: string
  search?: Search
}

/** The labels of the actions of screens. */
const tasks = {
  addPerson: 'people.add',
  addLead: 'leads.add',
  importLeads: 'leads.import',
  addOrder: 'orders.add',
  mergeDuplicates: 'leads.duplicates',
  claim: 'people.pools.public',
  receive: 'payers.receive',
  addPayer: 'payers.add',
  matchBank: 'finance.matching',
  closeMonth: 'finance.closeMonth',
  newExport: 'finance.newExport',
  approvals: 'approvals.title',
  addCourse: 'offerings.addCourse',
  addBatch: 'offerings.addBatch',
  addCoupon: 'offerings.addCoupon',
  addTagGroup: 'offerings.addTagGroup',
  invite: 'settings.invite',
  addWebhook: 'webhooks.add',
} as const

const doing = { do: 'add' }

const screenTasks: Task[] = [
  { id: 'addPerson', permission: 'write', icon: 'person', to: '/people', search: doing },
  { id: 'addLead', permission: 'write', icon: 'leads', to: '/leads', search: doing },
  { id: 'importLeads', permission: 'write', icon: 'upload', to: '/leads/import' },
  { id: 'addOrder', permission: 'write', icon: 'orders', to: '/orders', search: doing },
  { id: 'claim', permission: 'write', icon: 'leads', to: '/leads', search: { tab: 'pool' } },
  { id: 'mergeDuplicates', permission: 'write', icon: 'people', to: '/leads', search: { tab: 'duplicates' } },
  {
    ...{ id: 'receive', permission: 'finance', icon: 'finance', to: '/finance' },
    search: { tab: 'payers', do: 'receive' },
  },
  {
    ...{ id: 'addPayer', permission: 'finance', icon: 'finance', to: '/finance' },
    search: { tab: 'payers', ...doing },
  },
  { id: 'matchBank', permission: 'finance', icon: 'finance', to: '/finance', search: { tab: 'matching' } },
  { id: 'approvals', permission: 'finance', icon: 'finance', to: '/finance', search: { tab: 'approvals' } },
  {
    ...{ id: 'closeMonth', permission: 'finance', icon: 'finance', to: '/finance' },
    search: { tab: 'closing', ...doing },
  },
  {
    ...{ id: 'newExport', permission: 'finance', icon: 'download', to: '/finance' },
    search: { tab: 'exports', ...doing },
  },
  { id: 'addCourse', permission: 'finance', icon: 'offerings', to: '/offerings', search: doing },
  {
    ...{ id: 'addBatch', permission: 'write', icon: 'offerings', to: '/offerings' },
    search: { tab: 'intakes', ...doing },
  },
  {
    ...{ id: 'addCoupon', permission: 'finance', icon: 'offerings', to: '/offerings' },
    search: { tab: 'coupons', ...doing },
  },
  {
    ...{ id: 'addTagGroup', permission: 'write', icon: 'tag', to: '/offerings' },
    search: { tab: 'tags', ...doing },
  },
  {
    ...{ id: 'invite', permission: 'admin', icon: 'settings', to: '/settings' },
    search: { tab: 'staff', ...doing },
  },
  {
    ...{ id: 'addWebhook', permission: 'admin', icon: 'link', to: '/settings' },
    search: { tab: 'webhooks', ...doing },
  },
]

/** Every command that the role has. */
export function useCommands(): Command[] {
  const { t } = useTranslation()
  const { can } = useSession()
  const navigate = useNavigate()
  const { toggleColorScheme } = useMantineColorScheme()
  const other = currentLanguage() === 'zh' ? 'en' : 'zh'
  const keysOf = (keys: Record<string, string>, lead: string, id: string) => {
    const key = Object.keys(keys).find((each) => keys[each] === id)
    return key === undefined ? {} : { keys: `${lead} ${key.toUpperCase()}` }
  }
  return [
    ...screenTasks
      .filter(({ permission }) => can(permission))
      .map(
        ({ id, icon, to, search }): Command => ({
          id,
          label: t(tasks[id]),
          icon,
          ...keysOf(addKeys, 'N', id),
          words: t(`commands.words.${id}`),
          run: () => void navigate({ to, search: search as never }),
        }),
      ),
    ...places
      .filter(({ permission }) => can(permission))
      .map(
        ({ name }): Command => ({
          id: name,
          label: t(`frame.${name}`),
          icon: name,
          ...keysOf(goKeys, 'G', name),
          words: t('commands.goWords'),
          run: () => void navigate({ to: `/${name}` }),
        }),
      ),
    {
      ...{ id: 'colours', label: t('commands.theme'), icon: 'moon', words: t('commands.themeWords') },
      run: toggleColorScheme,
    },
    {
      ...{ id: 'language', label: t(other === 'zh' ? 'frame.chinese' : 'frame.english'), icon: 'edit' },
      words: t('commands.languageWords'),
      run: () => void changeLanguage(other),
    },
  ]
}

/** The commands for a text: those that begin with it first, then those with a word or synonym that contains it. */
export function commandsFor<Each extends RecordCommand & { words?: string }>(
  commands: Each[],
  typed: string,
): Each[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const found = commands.filter(({ label, words = '' }) => {
    const text = `${label} ${words}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  const rank = ({ label }: Each) => (label.toLowerCase().startsWith(typed.toLowerCase()) ? 0 : 1)
  return found.toSorted((one, another) => rank(one) - rank(another))
}
