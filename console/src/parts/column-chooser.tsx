import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'

interface ColumnChooserProps {
  columns: { id: string; title: string }[]
  isShown(id: string): boolean
  choose(ids: string[]): void
}

export function ColumnChooser({ columns, isShown, choose }: ColumnChooserProps) {
  const { t } = useTranslation()
  const shown = columns.filter(({ id }) => isShown(id)).map(({ id }) => id)
  const toggle = (id: string) => {
    const next = columns.map((column) => column.id).filter((each) => (each === id) !== isShown(each))
    if (next.length > 0) choose(next)
  }
  return (
    <Popover position="bottom-end" withinPortal>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<Icon name="columns" size={14} />}
        >
          {t('table.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6}>
          {columns.map(({ id, title }) => (
            <Checkbox
              key={id}
              size="xs"
              label={title || t('table.actions')}
              checked={isShown(id)}
              disabled={shown.length === 1 && shown[0] === id}
              onChange={() => toggle(id)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
