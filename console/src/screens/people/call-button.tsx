import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../parts/icon.tsx'
import { contactAddress, type Revealed } from './use-revealed.ts'

/** Reveals the number, which then calls. A phone calls at once. */
export function CallButton({ revealed }: { revealed: Revealed }) {
  const { t } = useTranslation()
  const number = revealed.shown.mobile
  const look = { size: 'xs', leftSection: <Icon name="phone" size={14} /> } as const
  if (number !== undefined)
    return (
      <Button component="a" href={contactAddress('mobile', number)} {...look}>
        {t('record.call')}
      </Button>
    )
  const call = async () => {
    const revealedNumber = await revealed.reveal('mobile')
    const isPhone = window.matchMedia('(pointer: coarse)').matches
    if (revealedNumber && isPhone) window.location.assign(contactAddress('mobile', revealedNumber))
  }
  return (
    <Button {...look} onClick={() => void call()}>
      {t('record.call')}
    </Button>
  )
}
