import type { InputFault } from '../../contract/errors.ts'
import { mobileFault } from './read-mobile.ts'

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

/** The same, and the number must be a mobile number of its country. Operations of the interface accept every number. */
export function mobileFaults(number: { area_code?: string; mobile?: string }): InputFault[] {
  const { area_code, mobile } = number
  const faults = mobileNumberFaults(number)
  if (faults.length > 0 || !area_code || !mobile) return faults
  const reason = mobileFault({ area_code, mobile })
  return reason === undefined ? [] : [{ param: 'mobile', reason }]
}
