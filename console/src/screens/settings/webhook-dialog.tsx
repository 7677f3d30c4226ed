import { TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../calls/call.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { Webhook } from './webhooks-tab.tsx'

interface WebhookDialogProps {
  /** Absent: a new one. */
  webhook?: Webhook
  onClose(): void
  onSecret(secret: string): void
}

const exampleUrl = 'https://hooks.example.com/matricula'

/** The address of a webhook and the types that it receives. */
export function WebhookDialog({ webhook, onClose, onSecret }: WebhookDialogProps) {
  const { t } = useTranslation()
  const create = useAction('createWebhookEndpoint')
  const update = useAction('updateWebhookEndpoint')
  const known = useCall('listEventTypes', {}).data?.list ?? []
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [types, setTypes] = useState(webhook?.types ?? ['*'])
  const [description, setDescription] = useState(webhook?.description ?? '')
  const names = known.map(({ type }) => type)
  const families = [...new Set(names.map((name) => `${name.split('.')[0]}.*`))]

  const act = async () => {
    const wanted = { url: url.trim(), types, description: description.trim() }
    if (!webhook) {
      const { secret } = await create.run(wanted)
      onSecret(secret)
      return { said: t('webhooks.added') }
    }
    const { endpoint_id } = webhook
    const before = { url: webhook.url, types: webhook.types, description: webhook.description }
    await update.run({ endpoint_id, ...wanted })
    return { said: t('webhooks.changed'), undo: () => update.run({ endpoint_id, ...before }) }
  }
  return (
    <PreviewDialog
      title={t(webhook ? 'webhooks.edit' : 'webhooks.add')}
      confirmLabel={webhook && t('common.save')}
      isIncomplete={url.trim() === '' || types.length === 0}
      onClose={onClose}
      act={act}
      size="lg"
    >
      <TextInput
        label={t('webhooks.url')}
        description={t('webhooks.urlHint')}
        placeholder={exampleUrl}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        required
        data-autofocus
      />
      <TagsInput
        label={t('webhooks.types')}
        description={t('webhooks.typesHint')}
        data={['*', ...families, ...names]}
        value={types}
        onChange={setTypes}
        acceptValueOnBlur
        required
      />
      <TextInput
        label={t('webhooks.description')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </PreviewDialog>
  )
}
