import { Button, CopyButton, Group, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface CopiedTextProps {
  label: string
  description?: string
  value: string
}

/** A text with a button that copies it. */
export function CopiedText({ label, description, value }: CopiedTextProps) {
  const { t } = useTranslation()
  return (
    <Group align="flex-end" wrap="nowrap">
      <TextInput
        label={label}
        description={description}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
        readOnly
        variant="filled"
        flex={1}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy} aria-label={`${t('common.copy')}: ${label}`}>
            {t(copied ? 'common.copied' : 'common.copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
