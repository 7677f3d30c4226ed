import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { CallError } from '../calls/call-error.ts'
import { parseSearch, type Search, stringifySearch } from './address.ts'
import { Frame } from './frame.tsx'
import { ScreenError } from './screen-error.tsx'
import { ScreenLoading } from './screen-loading.tsx'
import { ScreenMissing } from './screen-missing.tsx'
import { sessionQuery } from './session.tsx'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: (search: Record<string, unknown>): Search => search as Search,
  notFoundComponent: ScreenMissing,
  errorComponent: ScreenError,
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/today', replace: true })
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('../screens/sign-in/sign-in-screen.tsx'), 'SignInScreen'),
})

/** Where the provider of a school sends people back to. */
const signInBack = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/$id',
  component: lazyRouteComponent(() => import('../screens/sign-in/sign-in-screen.tsx'), 'SignInScreen'),
})

/** Where an invitation or a reset leads: the link stands behind the #, which no server sees. */
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(() => import('../screens/sign-in/welcome-screen.tsx'), 'WelcomeScreen'),
})

/** Where a link leads that signs in by itself. */
const enter = createRoute({
  getParentRoute: () => root,
  path: '/enter',
  component: lazyRouteComponent(() => import('../screens/sign-in/enter-screen.tsx'), 'EnterScreen'),
})

/** Everything else is for who is signed in; who is not comes back here afterwards. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Frame,
  async beforeLoad({ context, location }) {
    try {
      await context.queries.ensureQueryData(sessionQuery)
    } catch (error) {
      if (error instanceof CallError && error.isSignedOut)
        throw redirect({ to: '/sign-in', search: { to: location.href }, replace: true })
      throw error
    }
  },
})

const today = createRoute({
  getParentRoute: () => signedIn,
  path: '/today',
  component: lazyRouteComponent(() => import('../screens/today/today-screen.tsx'), 'TodayScreen'),
})

/** A record stands beside its list: the list's screen shows it in its outlet. */
const people = createRoute({
  getParentRoute: () => signedIn,
  path: '/people',
  component: lazyRouteComponent(() => import('../screens/people/people-screen.tsx'), 'PeopleScreen'),
})
const person = createRoute({
  getParentRoute: () => people,
  path: '$id',
  component: lazyRouteComponent(() => import('../screens/people/person-drawer.tsx'), 'PersonDrawer'),
})

const leads = createRoute({
  getParentRoute: () => signedIn,
  path: '/leads',
  component: lazyRouteComponent(() => import('../screens/leads/leads-screen.tsx'), 'LeadsScreen'),
})
const leadImport = createRoute({
  getParentRoute: () => signedIn,
  path: '/leads/import',
  component: lazyRouteComponent(
    () => import('../screens/lead-import/lead-import-screen.tsx'),
    'LeadImportScreen',
  ),
})

const orders = createRoute({
  getParentRoute: () => signedIn,
  path: '/orders',
  component: lazyRouteComponent(() => import('../screens/orders/orders-screen.tsx'), 'OrdersScreen'),
})
const order = createRoute({
  getParentRoute: () => orders,
  path: '$id',
  component: lazyRouteComponent(() => import('../screens/orders/order-drawer.tsx'), 'OrderDrawer'),
})

const finance = createRoute({
  getParentRoute: () => signedIn,
  path: '/finance',
  component: lazyRouteComponent(() => import('../screens/finance/finance-screen.tsx'), 'FinanceScreen'),
})

const reports = createRoute({
  getParentRoute: () => signedIn,
  path: '/reports',
  component: lazyRouteComponent(() => import('../screens/reports/reports-screen.tsx'), 'ReportsScreen'),
})

/** Saved links use the former address of Reports. */
const numbers = createRoute({
  getParentRoute: () => signedIn,
  path: '/numbers',
  beforeLoad: () => {
    throw redirect({ to: '/reports', search: true, replace: true })
  },
})

const offerings = createRoute({
  getParentRoute: () => signedIn,
  path: '/offerings',
  component: lazyRouteComponent(() => import('../screens/offerings/offerings-screen.tsx'), 'OfferingsScreen'),
})

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: lazyRouteComponent(() => import('../screens/settings/settings-screen.tsx'), 'SettingsScreen'),
})

const help = createRoute({
  getParentRoute: () => signedIn,
  path: '/help',
  component: lazyRouteComponent(() => import('../screens/help/help-screen.tsx'), 'HelpScreen'),
})

const routes = root.addChildren([
  home,
  signIn,
  signInBack,
  welcome,
  enter,
  signedIn.addChildren([
    today,
    people.addChildren([person]),
    leads,
    leadImport,
    orders.addChildren([order]),
    finance,
    reports,
    numbers,
    offerings,
    settings,
    help,
  ]),
])

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree: routes,
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: ScreenLoading,
    defaultPendingMs: 300,
    defaultErrorComponent: ScreenError,
    scrollRestoration: true,
  })
}
