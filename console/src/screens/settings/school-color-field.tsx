import { Button, ColorSwatch, Group, Input, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface SchoolColorFieldProps {
  value: string
  onChange(color: string): void
}

const leastContrast = 4.5
const exampleColor = '#0a3f8f'

/** The colour of the school. A colour on which white text is not readable is replaced by the nearest darker one, and it says so. */
export function SchoolColorField({ value, onChange }: SchoolColorFieldProps) {
  const { t } = useTranslation()
  const contrast = isColor(value) ? contrastWithWhite(value) : undefined
  const isTooLight = contrast !== undefined && contrast < leastContrast
  const fault = isTooLight
    ? t('issuer.colorTooLight', { contrast: Math.floor(contrast * 10) / 10 })
    : value !== '' && contrast === undefined && t('issuer.colorForm')
  const darker = isTooLight ? darkened(value) : undefined
  return (
    <div>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('issuer.color')}
          description={t('issuer.colorHint')}
          placeholder={exampleColor}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value.trim().toLowerCase())}
          error={fault !== false}
          errorProps={{ id: 'school-color-fault' }}
          aria-describedby={fault === false ? undefined : 'school-color-fault'}
          maxLength={7}
          flex={1}
        />
        <input
          type="color"
          aria-label={t('issuer.pickColor')}
          value={isColor(value) ? value : '#1f6feb'}
          onChange={(event) => onChange(event.currentTarget.value)}
          style={{ width: '2.25rem', height: '2.25rem', padding: 0, border: 0, background: 'none' }}
        />
      </Group>
      {fault !== false && (
        <Input.Error id="school-color-fault" size="sm" mt={4} role="alert">
          {fault}
        </Input.Error>
      )}
      {darker && (
        <Button
          mt={6}
          size="compact-sm"
          variant="default"
          leftSection={<ColorSwatch color={darker} size={14} />}
          onClick={() => onChange(darker)}
        >
          {t('issuer.useDarker', { color: darker })}
        </Button>
      )}
    </div>
  )
}

/** Whether a text is a colour that can be saved; an empty one removes the colour. */
export function isReadableColor(color: string): boolean {
  return color === '' || (isColor(color) && contrastWithWhite(color) >= leastContrast)
}

function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/.test(text)
}

function partsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}

/** The contrast by WCAG 2.2. */
function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(color).map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** The lightest colour of the same hue on which white text is readable. */
function darkened(color: string): string {
  for (let share = 0.98; share > 0; share -= 0.02) {
    const parts = partsOf(color).map((part) =>
      Math.round(part * share)
        .toString(16)
        .padStart(2, '0'),
    )
    const darker = `#${parts.join('')}`
    if (contrastWithWhite(darker) >= leastContrast) return darker
  }
  return '#000000'
}
