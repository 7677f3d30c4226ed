import type { QueryClient } from '@tanstack/react-query'
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { CallError } from '../calls/call-error.ts'
import { noteMove } from '../parts/after-heading.tsx'
import { Frame } from './frame.tsx'
import { places } from './navigation.tsx'
import { PlaceLoading, ScreenError, ScreenLoading, ScreenMissing } from './screen-error.tsx'
import { parseSearch, type Search, sessionQuery, stringifySearch } from './session.tsx'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: (search: Record<string, unknown>): Search => search as Search,
  notFoundComponent: ScreenMissing,
  errorComponent: ScreenError,
})

type Loaders = Parameters<typeof lazyRouteComponent>[0]

/** A route whose screen is loaded when it is opened. */
function screen<Parent extends AnyRoute, Path extends string>(
  parent: Parent,
  path: Path,
  load: Loaders,
  name: string,
) {
  const place = places.find((each) => path === `/${each.name}`)
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(load, name),
    ...(place && { pendingComponent: () => <PlaceLoading place={place.name} /> }),
  })
}

const loadSignIn = () => import('../screens/sign-in/sign-in-screen.tsx')

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/today', replace: true })
  },
})
const signIn = screen(root, '/sign-in', loadSignIn, 'SignInScreen')
/** The redirect URI of a school's sign-in provider. */
const signInBack = screen(root, '/sign-in/$id', loadSignIn, 'SignInScreen')
/** Target of invitations and resets. The link is in the fragment, which no server sees. */
const welcome = screen(
  root,
  '/welcome',
  () => import('../screens/sign-in/welcome-screen.tsx'),
  'WelcomeScreen',
)
/** Target of links that sign in by themselves. */
const enter = screen(root, '/enter', () => import('../screens/sign-in/enter-screen.tsx'), 'EnterScreen')

/** All other screens need a session. Without one, the person signs in first and then returns. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Frame,
  async beforeLoad({ context, location }) {
    const toSignIn = () => redirect({ to: '/sign-in', search: { to: location.href }, replace: true })
    if (!hasSession() && !context.queries.getQueryData(sessionQuery.queryKey)) throw toSignIn()
    try {
      await context.queries.ensureQueryData(sessionQuery)
    } catch (error) {
      if (error instanceof CallError && (error.isSignedOut || error.isSuspended)) throw toSignIn()
      throw error
    }
  },
})

const today = screen(signedIn, '/today', () => import('../screens/today/today-screen.tsx'), 'TodayScreen')
const people = screen(
  signedIn,
  '/people',
  () => import('../screens/people/people-screen.tsx'),
  'PeopleScreen',
)
const person = screen(
  signedIn,
  '/people/$id',
  () => import('../screens/people/person-page.tsx'),
  'PersonPage',
)
const leads = screen(signedIn, '/leads', () => import('../screens/leads/leads-screen.tsx'), 'LeadsScreen')
const leadImport = screen(
  signedIn,
  '/leads/import',
  () => import('../screens/lead-import/lead-import-screen.tsx'),
  'LeadImportScreen',
)
const orders = screen(
  signedIn,
  '/orders',
  () => import('../screens/orders/orders-screen.tsx'),
  'OrdersScreen',
)
const order = screen(signedIn, '/orders/$id', () => import('../screens/orders/order-page.tsx'), 'OrderPage')
const cashUp = screen(
  signedIn,
  '/cash-up',
  () => import('../screens/cash-up/cash-up-screen.tsx'),
  'CashUpScreen',
)
const finance = screen(
  signedIn,
  '/finance',
  () => import('../screens/finance/finance-screen.tsx'),
  'FinanceScreen',
)
const reports = screen(
  signedIn,
  '/reports',
  () => import('../screens/reports/reports-screen.tsx'),
  'ReportsScreen',
)
/** The former address of Reports, which saved links use. */
const numbers = createRoute({
  getParentRoute: () => signedIn,
  path: '/numbers',
  beforeLoad: () => {
    throw redirect({ to: '/reports', search: true, replace: true })
  },
})
const offerings = screen(
  signedIn,
  '/offerings',
  () => import('../screens/offerings/offerings-screen.tsx'),
  'OfferingsScreen',
)
const settings = screen(
  signedIn,
  '/settings',
  () => import('../screens/settings/settings-screen.tsx'),
  'SettingsScreen',
)
const help = screen(signedIn, '/help', () => import('../screens/help/help-screen.tsx'), 'HelpScreen')

const routes = root.addChildren([
  ...[home, signIn, signInBack, welcome, enter],
  signedIn.addChildren([
    ...[today, people, person, leads, leadImport, orders, order],
    ...[finance, cashUp, reports, numbers, offerings, settings, help],
  ]),
])

/** Whether the browser sent the cookie of a session with the request for this page. Scripts cannot read it. */
function hasSession(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name=session]')?.content !== 'absent'
}

export function createConsoleRouter(queries: QueryClient) {
  const router = createRouter({
    routeTree: routes,
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: ScreenLoading,
    defaultPendingMs: 60,
    defaultPendingMinMs: 0,
    defaultErrorComponent: ScreenError,
    scrollRestoration: true,
  })
  router.history.subscribe(({ action }) => noteMove(action))
  return router
}
