import { Alert, Group, Radio, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, type DataOf, useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice, Progress } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { useAdvisers, usePoolName } from '../../parts/use-advisers.ts'
import { ClaimButton } from '../leads/claim-button.tsx'

type Preview = DataOf<'previewMerge'>
type Side = Preview['survivor']

/** Two people side by side, field by field, with the values that a merge would keep. The merge can be undone. */
export function MergeDialog({ userIds, onClose }: { userIds: [string, string]; onClose(): void }) {
  const { t } = useTranslation()
  const merge = useAction('mergeUsers')
  const [stays, setStays] = useState(userIds[0])
  const other = userIds.find((id) => id !== stays) ?? userIds[1]
  const input = { user_id: stays, merged_user_id: other }
  // Merged people have no preview: it is not asked for again when their records are renewed.
  const [isMerging, setMerging] = useState(false)
  const preview = { keepsPrevious: true, isFreshOnOpening: true, enabled: !isMerging }
  const { data, error } = useCall('previewMerge', input, preview)
  const sides = data && sidesOf(data, userIds)
  return (
    <PreviewDialog
      title={t('leads.merge')}
      isIncomplete={!data || data.obstacles.length > 0}
      onClose={onClose}
      act={async () => {
        setMerging(true)
        const { merge_id } = await merge.run(input).catch((failure) => {
          setMerging(false)
          throw failure
        })
        return { said: t('leads.merged'), undo: () => call('unmergeUsers', { merge_id }) }
      }}
      size="xl"
    >
      {error && <ErrorNotice error={error} />}
      {!data && !error && <Progress label={t('common.loading')} />}
      {data && sides && (
        <>
          <Obstacles preview={data} />
          <Radio.Group label={t('leads.personToKeep')} value={stays} onChange={setStays}>
            <Stack gap="xs" mt="xs">
              {sides.map((side) => (
                <Radio key={side.user_id} value={side.user_id} label={labelOf(side)} />
              ))}
            </Stack>
          </Radio.Group>
          <Comparison sides={sides} kept={data.after} />
          <Text size="sm" c="dimmed">
            {t('leads.mergeWill', { name: labelOf(data.survivor) })}
          </Text>
        </>
      )}
    </PreviewDialog>
  )
}

/** The people in their first order: the choice of the survivor does not move the columns. */
function sidesOf({ survivor, merged }: Preview, [first]: [string, string]): [Side, Side] {
  return survivor.user_id === first ? [survivor, merged] : [merged, survivor]
}

function labelOf({ name, first_name, last_name, mobile, email, user_id }: Side): string {
  return name || [first_name, last_name].filter(Boolean).join(' ') || mobile || email || user_id
}

/** Says why the people cannot be merged, with a button to claim where that helps. */
function Obstacles({ preview: { obstacles, survivor, merged } }: { preview: Preview }) {
  const { t } = useTranslation()
  return obstacles.map(({ user_id, reason }) => {
    const person = user_id === survivor.user_id ? survivor : merged
    const name = labelOf(person)
    return (
      <Alert key={user_id} color="orange" variant="light" icon={<Icon name="warning" />} p="xs">
        <Group justify="space-between" gap="sm">
          <Text size="sm" flex={1}>
            {t(`leads.obstacles.${reason}`, { name })}
          </Text>
          {reason === 'unclaimed' && (
            <ClaimButton userId={user_id} name={name} pool={person.pool} holderId={person.holder_id} isNext />
          )}
        </Group>
      </Alert>
    )
  })
}

function Comparison({ sides, kept }: { sides: [Side, Side]; kept: Side }) {
  const { t } = useTranslation()
  const fields = useFields()
  const rows = fields
    .map(({ label, read }) => ({ label, values: sides.map(read), result: read(kept) }))
    .filter(({ values }) => values.some((value) => value !== ''))
  return (
    <Table layout="fixed" verticalSpacing={4} horizontalSpacing="xs" aria-label={t('leads.compared')}>
      <Table.Thead>
        <Table.Tr>
          {sides.map((side) => (
            <Table.Th key={side.user_id}>{labelOf(side)}</Table.Th>
          ))}
          <Table.Th>{t('leads.kept')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      {rows.map(({ label, values, result }) => (
        <Table.Tbody key={label}>
          <Table.Tr>
            <Table.Th colSpan={3} scope="rowgroup" fw={400} c="dimmed" fz="xs" pb={0} style={{ border: 0 }}>
              {label}
            </Table.Th>
          </Table.Tr>
          <Table.Tr>
            {values.map((value, index) => (
              <Value key={sides[index]?.user_id} value={value} isKept={value === result} />
            ))}
            <Value value={result} isKept />
          </Table.Tr>
        </Table.Tbody>
      ))}
    </Table>
  )
}

/** A value that the merge does not keep is dimmed. */
function Value({ value, isKept }: { value: string; isKept: boolean }) {
  const { t } = useTranslation()
  return (
    <Table.Td pt={0} style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
      <Text size="sm" c={isKept && value ? undefined : 'dimmed'}>
        {value || t('common.none')}
      </Text>
    </Table.Td>
  )
}

const profile = [
  ...(['name', 'gender', 'city', 'company_name', 'job_title', 'department', 'industry'] as const),
]
const counts = ['leads', 'orders', 'follow_ups', 'payers'] as const

function useFields(): { label: string; read(side: Side): string }[] {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const poolName = usePoolName()
  const { data: groups } = useCall('listAllTagGroups', {})
  const comma = t('common.listComma')
  const groupName = (id: string) => groups?.list.find(({ entity_id }) => entity_id === id)?.name ?? id
  return [
    { label: t('people.mobile'), read: ({ area_code, mobile }) => numberOf(area_code, mobile) },
    {
      label: t('leads.secondNumber'),
      read: ({ backup_area_code, backup_mobile }) => numberOf(backup_area_code, backup_mobile),
    },
    { label: t('fields.email'), read: ({ email }) => email ?? '' },
    ...profile.map((name) => ({
      label: t(`people.members.${name}`),
      read: (side: Side) => side[name] ?? '',
    })),
    { label: t('people.pool'), read: ({ pool }) => poolName(pool) },
    { label: t('fields.adviser'), read: ({ owner_ids }) => owner_ids.map(nameOf).join(comma) },
    { label: t('people.holder'), read: ({ holder_id }) => (holder_id === null ? '' : nameOf(holder_id)) },
    {
      label: t('people.tags'),
      read: ({ tags }) =>
        tags
          .map(({ tags_group_id, value }) => t('people.tagIs', { name: groupName(tags_group_id), value }))
          .join(comma),
    },
    ...counts.map((name) => ({
      label: t(`leads.counts.${name}`),
      read: (side: Side) => (side[name] === 0 ? '' : String(side[name])),
    })),
  ]
}

function numberOf(area_code: string | null, mobile: string | null): string {
  return mobile ? `+${area_code} ${mobile}` : ''
}
