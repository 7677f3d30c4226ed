import { Button, Group, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type RowOf, useAction } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Hint } from '../../parts/error-notice.tsx'
import { StateBadge } from '../../parts/instant.tsx'
import { timeColumn } from '../../parts/plain-table.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { readInternational } from '../people/international-number.ts'

type Erasure = RowOf<'listErasures'>

/** Erasures, and lifting one for a person who came back. */
export function PrivacyTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const [isLifting, setLifting] = useState(false)
  const query = useList('listErasures', address, {}, { isFreshOnOpening: true })
  const { nameOf } = useAdvisers()
  const columns = useMemo<Column<Erasure>[]>(
    () => [
      timeColumn('time', t('privacy.erased'), ({ time }) => time),
      { id: 'kind', title: t('privacy.kind'), card: 'title', cell: ({ kind }) => t(`privacy.kinds.${kind}`) },
      { id: 'reason', title: t('fields.reason'), cell: ({ reason }) => reason },
      { id: 'by', title: t('activity.by'), cell: ({ executor_id }) => nameOf(executor_id) },
      { id: 'contacts', title: t('privacy.contacts'), isNumber: true, cell: ({ contacts }) => contacts },
      {
        ...{ id: 'state', title: t('fields.status'), card: 'value' },
        cell: ({ lifted_time, is_complete }) =>
          lifted_time ? (
            <StateBadge meaning="ended" label={t('privacy.isLifted')} />
          ) : (
            <StateBadge
              meaning={is_complete ? 'received' : 'action'}
              label={t(is_complete ? 'privacy.active' : 'privacy.searching')}
            />
          ),
      },
      { id: 'id', title: t('activity.id'), isExtra: true, cell: ({ user_id }) => user_id },
    ],
    [t, nameOf],
  )
  return (
    <>
      <Hint mb="xs">{t('privacy.hint')}</Hint>
      <DataTable
        name="erasures"
        label={t('privacy.title')}
        columns={columns}
        rowId={({ user_id }) => user_id}
        query={query}
        address={address}
        actions={
          <Button size="xs" variant="default" onClick={() => setLifting(true)}>
            {t('privacy.lift')}
          </Button>
        }
        empty={{ text: t('privacy.none'), icon: 'key' }}
      />
      {isLifting && <LiftErasureDialog onClose={() => setLifting(false)} />}
    </>
  )
}

/** Lifts an erasure. The service stores only hashes, so the person types a full contact. */
export function LiftErasureDialog({ onClose, onLifted }: { onClose(): void; onLifted?(): Promise<unknown> }) {
  const { t } = useTranslation()
  const [areaCode, setAreaCode] = useState('86')
  const [contact, setContact] = useState('')
  const lift = useAction('liftErasure')
  const text = contact.trim()
  const isEmail = text.includes('@')
  const international = isEmail ? undefined : readInternational(text)
  const number =
    international === undefined ? { area_code: areaCode, mobile: text.replace(/\D/g, '') } : international
  return (
    <PreviewDialog
      title={t('privacy.lift')}
      isIncomplete={isEmail ? text.length < 3 : !number?.area_code || !number.mobile}
      onClose={onClose}
      act={async () => {
        const { contacts } = await lift.run(isEmail ? { email: text } : number!)
        await onLifted?.()
        return { said: t('privacy.lifted', { count: contacts }) }
      }}
    >
      <Text size="sm">{t('privacy.liftHint')}</Text>
      <Group grow align="start" wrap="nowrap">
        <TextInput
          label={t('people.areaCode')}
          value={international?.area_code ?? areaCode}
          readOnly={isEmail || !!international}
          inputMode="numeric"
          onChange={(event) => setAreaCode(event.currentTarget.value.replace(/\D/g, ''))}
        />
        <TextInput
          label={t('privacy.contact')}
          value={contact}
          error={international === null && text.length > 4 && t('people.noSuchCountry')}
          onChange={(event) => setContact(event.currentTarget.value)}
          required
        />
      </Group>
    </PreviewDialog>
  )
}
