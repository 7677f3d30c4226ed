import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is as narrow as a phone. Lists are cards there. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 37.5em)', false, { getInitialValueInEffect: false })
}
