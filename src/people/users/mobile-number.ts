import type { InputFault } from '../../contract/errors.ts'

const maxDigits = 15

/** E.164 limits the calling code and the number together. */
export function mobileNumberFaults({
  area_code,
  mobile,
}: {
  area_code?: string
  mobile?: string
}): InputFault[] {
  if (!area_code || !mobile || area_code.length + mobile.length <= maxDigits) return []
  return [{ param: 'mobile', reason: `must have at most ${maxDigits} digits together with area_code` }]
}
