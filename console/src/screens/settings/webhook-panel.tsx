import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Instant } from '../../parts/instant.tsx'
import { PreviewDialog, perform } from '../../parts/preview-dialog.tsx'
import { useWebhookProblem } from './use-webhook-problem.ts'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { type Webhook, WebhookHealth, WebhookTypes } from './webhooks-tab.tsx'

interface WebhookPanelProps {
  webhook: Webhook
  onBack(): void
  onSecret(secret: string): void
}

type Dialog = 'edit' | 'rotate' | 'pause' | 'enable' | 'remove'

/** An endpoint: its health, its actions and its deliveries. */
export function WebhookPanel({ webhook, onBack, onSecret }: WebhookPanelProps) {
  const { t } = useTranslation()
  const ping = useAction('pingWebhookEndpoint')
  const [dialog, setDialog] = useState<Dialog>()
  const [isRemoved, setRemoved] = useState(false)
  const { endpoint_id, url, is_enabled } = webhook
  const close = () => setDialog(undefined)
  const test = () => perform(ping.run({ endpoint_id }), () => ({ said: t('webhooks.pinged') }))
  return (
    <Stack gap="sm">
      <Group>
        <Button variant="subtle" size="xs" leftSection={<Icon name="left" size={14} />} onClick={onBack}>
          {t('webhooks.all')}
        </Button>
      </Group>
      <Group justify="space-between" align="flex-start">
        <div style={{ minWidth: 0, flex: '1 1 20rem' }}>
          <Title order={2} size="h4" lineClamp={3} title={url} style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Title>
          <Text size="sm" c="dimmed">
            <WebhookHealth webhook={webhook} /> <WebhookTypes webhook={webhook} />
            {webhook.description && ` · ${webhook.description}`}
          </Text>
        </div>
        <Group gap="xs">
          <Button size="xs" variant="default" loading={ping.isRunning} disabled={!is_enabled} onClick={test}>
            {t('webhooks.test')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('edit')}>
            {t('webhooks.edit')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('rotate')}>
            {t('webhooks.rotate')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog(is_enabled ? 'pause' : 'enable')}>
            {t(is_enabled ? 'webhooks.pause' : 'webhooks.enable')}
          </Button>
          <Button size="xs" variant="light" color="red" onClick={() => setDialog('remove')}>
            {t('webhooks.remove')}
          </Button>
        </Group>
      </Group>
      {ping.error && <ErrorNotice error={ping.error} />}
      <HealthNotice webhook={webhook} />
      {/* A webhook that is being removed has no deliveries to read. */}
      {dialog !== 'remove' && !isRemoved && <WebhookDeliveries webhook={webhook} />}
      {dialog === 'edit' && <WebhookDialog webhook={webhook} onClose={close} onSecret={onSecret} />}
      {dialog && dialog !== 'edit' && (
        <WebhookActionDialog
          webhook={webhook}
          action={dialog}
          onClose={close}
          onSecret={onSecret}
          onRemoved={() => {
            setRemoved(true)
            onBack()
          }}
        />
      )}
    </Stack>
  )
}

/** The fault of the receiver, its begin, and the reaction of the service. */
function HealthNotice({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const { health, disabled_reason, failing_since, paused_until, old_secret_until } = webhook
  const problem = useWebhookProblem()(webhook)
  return (
    <>
      {health === 'disabled' && (
        <Alert color="gray" icon={<Icon name="info" />}>
          {t(`webhooks.disabled.${disabled_reason as 'paused'}`)} {disabled_reason === 'failing' && problem}
        </Alert>
      )}
      {health === 'failing' && (
        <Alert color="red" icon={<Icon name="warning" />}>
          {problem} {t('webhooks.failingSince')} <Instant at={failing_since} /> · {t('webhooks.retries')}
        </Alert>
      )}
      {paused_until && (
        <Text size="sm">
          {t('webhooks.pausedUntil')} <Instant at={paused_until} />
        </Text>
      )}
      {old_secret_until && (
        <Text size="sm">
          {t('webhooks.twoSecrets')} <Instant at={old_secret_until} />
        </Text>
      )}
    </>
  )
}

interface WebhookActionDialogProps {
  webhook: Webhook
  action: Exclude<Dialog, 'edit'>
  onClose(): void
  onSecret(secret: string): void
  onRemoved(): void
}

/** The actions that change how or whether events are sent. */
function WebhookActionDialog({ webhook, action, onClose, onSecret, onRemoved }: WebhookActionDialogProps) {
  const { t } = useTranslation()
  const { endpoint_id, url } = webhook
  const rotate = useAction('rotateWebhookSecret')
  const update = useAction('updateWebhookEndpoint')
  const enable = useAction('enableWebhookEndpoint')
  const remove = useAction('removeWebhookEndpoint')
  const acts = {
    rotate: async () => {
      const { secret } = await rotate.run({ endpoint_id })
      onSecret(secret)
      return { said: t('webhooks.rotated') }
    },
    pause: async () => {
      await update.run({ endpoint_id, is_enabled: false })
      return { said: t('webhooks.isPaused'), undo: () => enable.run({ endpoint_id }) }
    },
    enable: async () => {
      await enable.run({ endpoint_id })
      return { said: t('webhooks.isEnabled') }
    },
    remove: async () => {
      await remove.run({ endpoint_id })
      onRemoved()
      return { said: t('webhooks.removed') }
    },
  }
  return (
    <PreviewDialog
      title={t(`webhooks.${action}`)}
      isDestructive={action === 'remove'}
      onClose={onClose}
      act={acts[action]}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t(`webhooks.will.${action}`, { url })}
      </Text>
    </PreviewDialog>
  )
}
