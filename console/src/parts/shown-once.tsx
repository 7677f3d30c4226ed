import { Button, CopyButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useReturnedFocus } from './use-returned-focus.ts'

interface ShownOnceProps {
  title: string
  /** Says what it is for, and that it is shown only once. */
  text: string
  label: string
  value: string
  onClose(): void
}

/** Shows a link or secret that cannot be shown again. Only its button closes the dialog. */
export function ShownOnce({ title, text, label, value, onClose }: ShownOnceProps) {
  const { t } = useTranslation()
  useReturnedFocus()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text size="sm">{text}</Text>
        <TextInput
          label={label}
          value={value}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
          data-autofocus
        />
        <Group justify="flex-end">
          <CopyButton value={value}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {t(copied ? 'common.copied' : 'common.copy')}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>{t('common.done')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
