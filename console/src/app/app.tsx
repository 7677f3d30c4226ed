import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { onSignedOut } from '../calls/call.ts'
import { CallError } from '../calls/call-error.ts'
import { IdentityDialogs } from './identity-dialogs.tsx'
import { createConsoleRouter } from './router.tsx'
import { styleNonce } from './style-nonce.ts'
import { cssVariables, theme } from './theme.ts'
import toasts from './toasts.module.css'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 60_000,
      // Retries only calls that did not reach the service.
      retry: (failures, error) =>
        failures < 2 && error instanceof CallError && (error.code === 0 || error.code === 50301),
    },
  },
})
const router = createConsoleRouter(queries)

onSignedOut(() => {
  queries.clear()
  const { pathname, href } = router.state.location
  if (!/^\/sign-in(\/|$)/.test(pathname)) void router.navigate({ to: '/sign-in', search: { to: href } })
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <IdentityDialogs />
        <Notifications position="bottom-left" limit={3} classNames={{ root: toasts.toasts }} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
