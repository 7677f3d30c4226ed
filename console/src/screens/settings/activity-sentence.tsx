import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { useLanguage } from '../../languages/language.ts'
import { serviceLabels } from '../../languages/service-labels.ts'
import { usePoolName } from '../../parts/use-advisers.ts'
import { useRecordName } from './use-record-name.ts'

export type Activity = RowOf<'listAudit'>

interface ActivitySentenceProps {
  entry: Activity
  /** The name of an actor or adviser, by id. */
  nameOf(id: string): string
}

/** Members that count changes or say the same as the sentence. */
const unsaid = new Set(['version', 'mtime', 'ctime', 'corp_id', 'user_id', 'user_copy_digest'])
const longestValue = 48

/** An entry as a sentence with links: "王芳 changed 陈小明's adviser from 李雷 to nobody". */
export function ActivitySentence({ entry, nameOf }: ActivitySentenceProps) {
  const { t } = useTranslation()
  const fieldName = useFieldName()
  const valueText = useValueText(nameOf)
  const members = changedMembers(entry)
  const components = {
    who: (
      <Text span inherit fw={600}>
        {nameOf(entry.actor_id)}
      </Text>
    ),
    what: <Subject entry={entry} nameOf={nameOf} />,
  }
  const [only] = members
  const from = only && valueText(only, entry.before[only])
  const to = only && valueText(only, entry.after[only])
  const isSaid = members.length === 1 && from !== undefined && to !== undefined
  const fields = members.slice(0, 4).map(fieldName).join(t('common.listComma'))
  return (
    <span data-wide>
      <Trans
        t={t}
        i18nKey={`activity.sentences.${isSaid ? 'changedFrom' : sentenceOf(entry, members.length)}`}
        components={components}
        values={{ field: only && fieldName(only), from, to, fields }}
      />
    </span>
  )
}

/** The members with another value, of a changed record. */
function changedMembers({ before, after, action }: Activity): string[] {
  if (action !== 'changed') return []
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.filter((name) => !unsaid.has(name))
}

function sentenceOf({ action, record_type }: Activity, members: number) {
  if (record_type === 'failed_sign_ins') return 'failed'
  if (record_type === 'merged_users') return action === 'removed' ? 'unmerged' : 'merged'
  if (record_type === 'staff_sessions') return action === 'removed' ? 'signedOut' : 'signedIn'
  return action === 'changed' && members > 0 ? 'changedFields' : action
}

/** The record, linked where it has a page, and the person that it belongs to. */
function Subject({ entry, nameOf }: ActivitySentenceProps): ReactNode {
  const { t } = useTranslation()
  const recordName = useRecordName()
  const { record_type, record_id, subject_id, before, after } = entry
  const name = entry.subject_name || t('activity.somebody')
  const person = subject_id !== '' && (
    <Anchor
      underline="always"
      component={Link}
      inherit
      to={`/people/${subject_id}`}
      onClick={(event) => event.stopPropagation()}
    >
      {name}
    </Anchor>
  )
  if (record_type === 'merged_users') return <MergedInto entry={entry} />
  if (record_type === 'users') return person || t('activity.somebody')
  // The entry of a member of staff holds no name, so that leaving removes it everywhere.
  const own =
    record_type === 'staff' && nameOf(record_id) !== record_id
      ? nameOf(record_id)
      : (after.name ?? before.name ?? after.code ?? before.code)
  const kind = inSentence(recordName(record_type))
  const label = typeof own === 'string' && own !== '' ? `${kind} ${own}` : kind
  const record =
    record_type === 'orders' ? (
      <Anchor
        underline="always"
        component={Link}
        inherit
        to={`/orders/${record_id}`}
        onClick={(event) => event.stopPropagation()}
      >
        {label}
      </Anchor>
    ) : (
      label
    )
  if (!person) return record
  return <Trans t={t} i18nKey="activity.ofPerson" components={{ record: <>{record}</>, person }} />
}

/** Within a sentence, a name begins with a small letter, unless it is an abbreviation. */
function inSentence(name: string): string {
  return /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
}

/** The merged person, and the one who stayed. */
function MergedInto({ entry: { before, after } }: { entry: Activity }): ReactNode {
  const { t } = useTranslation()
  const { name, user_id } = { ...before, ...after }
  // The entry of an erased person has no members.
  const person =
    typeof user_id === 'string' ? (
      <Anchor
        underline="always"
        component={Link}
        inherit
        to={`/people/${user_id}`}
        onClick={(event) => event.stopPropagation()}
      />
    ) : (
      <span />
    )
  const values = { name: typeof name === 'string' && name !== '' ? name : t('activity.somebody') }
  return <Trans t={t} i18nKey="activity.mergedInto" values={values} components={{ person }} />
}

/** The name of a member as forms call it; without one, its name in the interface. */
export function useFieldName(): (member: string) => string {
  const language = useLanguage()
  return (member) => {
    const single = member === 'owner_ids' ? 'owner_id' : member
    return serviceLabels[single]?.[language === 'zh' ? 1 : 0] ?? member.replaceAll('_', ' ')
  }
}

const ofStaff = new Set(['owner_id', 'owner_ids', 'holder_id', 'executor_id', 'staff_id'])

/** The value of a member as people read it; undefined for one that is too long for a sentence. */
export function useValueText(
  nameOf: (id: string) => string,
): (name: string, value: unknown) => string | undefined {
  const { t } = useTranslation()
  const poolName = usePoolName()
  const textOf = (name: string, value: unknown): string | undefined => {
    const isNothing = value === undefined || value === null || value === ''
    if (isNothing || (Array.isArray(value) && value.length === 0))
      return t(ofStaff.has(name) ? 'activity.nobody' : 'activity.nothing')
    if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no')
    if (typeof value === 'number') return String(value)
    if (Array.isArray(value)) {
      const texts = value.map((each) => textOf(name, each))
      return texts.every((each) => each !== undefined) ? texts.join(t('common.listComma')) : undefined
    }
    if (typeof value !== 'string' || value.length > longestValue) return undefined
    if (name === 'pool' || name === 'pools') return poolName(value)
    return ofStaff.has(name) ? nameOf(value) : value
  }
  return textOf
}
