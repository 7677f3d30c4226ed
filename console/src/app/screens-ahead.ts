import { useQueryClient } from '@tanstack/react-query'
import { type AnyRoute, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { places } from './navigation.tsx'
import { useSession } from './session.tsx'

/** The mark in the timeline of the page; what is loaded before it is what the first screen needs. */
const aheadMark = 'screens ahead'

/** Parts that are loaded when they are first shown. */
const later = [() => import('./command-dialog.tsx'), () => import('../screens/reports/bars.tsx')]

const records = ['/people/$id', '/orders/$id']

/** Loads the code of the other screens once the first one is complete and the browser is idle: a click then shows the screen at once. */
export function useScreensAhead(): void {
  const router = useRouter()
  const queries = useQueryClient()
  const { can } = useSession()
  useEffect(() => {
    const connection = (navigator as { connection?: { saveData?: boolean } }).connection
    if (connection?.saveData) return undefined
    const routes = router.routesByPath as Record<string, AnyRoute>
    const paths = [
      ...places.filter(({ permission }) => can(permission)).map(({ name }) => `/${name}`),
      ...records,
    ]
    let isGone = false
    const load = async () => {
      performance.mark(aheadMark)
      for (const path of paths) {
        await idle()
        if (isGone) return
        await router.loadRouteChunk(routes[path]!)?.catch(() => undefined)
      }
      for (const loadLater of later) {
        await idle()
        if (isGone) return
        await loadLater().catch(() => undefined)
      }
    }
    const wait = async () => {
      do await idle()
      while (!isGone && (queries.isFetching() > 0 || document.querySelector('main [aria-busy=true]')))
      if (!isGone) await load()
    }
    void wait()
    return () => {
      isGone = true
    }
  }, [router, queries, can])
}

/** Safari has no idle callback. */
function idle(): Promise<unknown> {
  return new Promise((resolve) =>
    'requestIdleCallback' in window
      ? requestIdleCallback(resolve, { timeout: 5_000 })
      : setTimeout(resolve, 300),
  )
}
