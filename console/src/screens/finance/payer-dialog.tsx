import { Group, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { type DataOf, useAction } from '../../calls/call.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'

export const payerKinds = ['person', 'parent', 'employer', 'sponsor', 'other', 'unknown'] as const

/** The texts that the dialog edits. Contacts are masked for staff, so it only adds or replaces them. */
const texts = ['name', 'contact_name', 'tax_number', 'reference', 'address', 'remarks'] as const

/** Adds a payer, or changes one. */
export function PayerDialog({ payer, onClose }: { payer?: DataOf<'fetchPayer'>; onClose(): void }) {
  const { t } = useTranslation()
  const create = useAction('createPayer')
  const update = useAction('updatePayer')
  const { values, getInputProps } = useForm({
    initialValues: {
      kind: payer?.kind ?? ('employer' as (typeof payerKinds)[number]),
      ...(Object.fromEntries(texts.map((name) => [name, payer?.[name] ?? ''])) as Record<
        (typeof texts)[number],
        string
      >),
      ...{ area_code: '', mobile: '', email: '' },
    },
  })
  const { area_code, mobile, email, ...members } = values
  const title = t(payer ? 'payers.edit' : 'payers.add')
  const act = async () => {
    const sent = {
      ...members,
      name: members.name.trim(),
      ...(mobile.trim() && { area_code: area_code.trim() || '86', mobile: mobile.trim() }),
      ...(email.trim() && { email: email.trim() }),
    }
    if (payer) await update.run({ ...sent, payer_id: payer.payer_id, version: payer.version })
    else await create.run(sent)
    return { said: t('payers.saved', { name: sent.name }) }
  }
  return (
    <PreviewDialog
      title={title}
      confirmLabel={t('common.save')}
      isIncomplete={members.name.trim() === ''}
      onClose={onClose}
      act={act}
      size="lg"
    >
      <Group grow>
        <TextInput label={t('fields.name')} {...getInputProps('name')} required data-autofocus />
        <Select
          label={t('payers.kind')}
          data={payerKinds.map((value) => ({ value, label: t(`payers.kinds.${value}`) }))}
          {...getInputProps('kind')}
          allowDeselect={false}
        />
      </Group>
      <Group grow>
        <TextInput label={t('payers.contactName')} {...getInputProps('contact_name')} />
        <TextInput label={t('fields.email')} placeholder={payer?.email} {...getInputProps('email')} />
      </Group>
      <Group grow>
        <TextInput
          label={t('payers.areaCode')}
          placeholder={payer?.area_code || '86'}
          inputMode="numeric"
          {...getInputProps('area_code')}
        />
        <TextInput
          label={t('payers.mobile')}
          placeholder={payer?.mobile}
          inputMode="numeric"
          {...getInputProps('mobile')}
        />
      </Group>
      <Group grow>
        <TextInput label={t('payers.number')} {...getInputProps('reference')} />
        <TextInput label={t('payers.taxNumber')} {...getInputProps('tax_number')} />
      </Group>
      <Textarea label={t('payers.address')} autosize {...getInputProps('address')} />
      <Textarea label={t('payers.remarks')} autosize {...getInputProps('remarks')} />
    </PreviewDialog>
  )
}
