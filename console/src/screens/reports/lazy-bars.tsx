import { Skeleton } from '@mantine/core'
import { type ComponentProps, lazy, Suspense } from 'react'
import type { Bars } from './bars.tsx'

const Loaded = lazy(async () => ({ default: (await import('./bars.tsx')).Bars }))

/** Loads the chart library when a chart is shown. */
export function LazyBars(props: ComponentProps<typeof Bars>) {
  return (
    <Suspense fallback={<Skeleton height={240} />}>
      <Loaded {...props} />
    </Suspense>
  )
}
