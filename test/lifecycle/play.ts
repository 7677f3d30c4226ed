import { expect } from 'vitest'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import { inviteColleague, resetColleague, updateRole } from '../../src/access/staff/colleagues.ts'
import { createSession, endSession, fetchSession } from '../../src/access/staff/create-session.ts'
import { changePassword, choosePassword } from '../../src/access/staff/enter-by-link.ts'
import { disableStaff, inviteStaff } from '../../src/access/staff/manage-staff.ts'
import {
  beginPasskey,
  beginPasskeySignIn,
  createPasskey,
  signInByPasskey,
} from '../../src/access/staff/passkeys/passkeys.ts'
import { removeSignInProvider, setProvider } from '../../src/access/staff/provider/manage-provider.ts'
import { beginProviderSignIn, signInByProvider } from '../../src/access/staff/provider/sign-in-by-provider.ts'
import { type Role, roleNames } from '../../src/access/staff/roles.ts'
import { listApiAccounts } from '../../src/backoffice/settings/api-accounts.ts'
import { eraseUser } from '../../src/changes/erasure/erase-user.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { listUsers } from '../../src/people/users/list-users.ts'
import { makePasskey, type SoftwarePasskey } from '../harness/authenticator.ts'
import { testKeyring } from '../harness/keyring.ts'
import { client, type OpenIdProvider } from '../harness/openid-provider.ts'
import type { TestServer } from '../harness/server.ts'
import { addSignedIn, openTab, password, sameOrigin, type Tab } from '../harness/staff.ts'
import {
  canSignIn,
  isActive,
  Model,
  type ModelAccount,
  type ModelSchool,
  type ModelTab,
  may,
} from './model.ts'

/** One step of a history. Its numbers pick among the tabs, schools, addresses and links that exist at that step. */
export interface Step {
  kind: StepKind
  tab: number
  school: number
  email: number
  role: number
  pick: number
}

const passwords = [password, 'another horse battery']
const mobile = '13800138000'
const mostTabs = 5

interface Link {
  token: string
  account: ModelAccount
}

/** The service and its model. Each step changes both. */
interface Stage {
  server: TestServer
  provider: OpenIdProvider
  origin: string
  model: Model
  /** Addresses in both schools. The provider signs in people under their addresses. */
  emails: string[]
  staffIds: Map<ModelAccount, string>
  links: Link[]
  passkeys: { passkey: SoftwarePasskey; account: ModelAccount }[]
  browsers: Map<ModelTab, Tab>
  /** Calls an operation in the browser of a tab. */
  call(tab: ModelTab, endpoint: Endpoint, input?: object): Promise<{ code: number; data: Data }>
}
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape; the contract check has typed them.
type Data = any

/** Plays steps in two new schools. After each step, every tab reaches exactly what the model says. */
export async function playLifecycle(
  server: TestServer,
  provider: OpenIdProvider,
  origin: string,
  steps: Step[],
): Promise<void> {
  const stage = await openStage(server, provider, origin)
  for (const [n, step] of steps.entries()) {
    await plays[step.kind](stage, step)
    await checkReach(stage, `after step ${n + 1}, ${step.kind}`)
  }
}

/** Two schools. Each has an administrator who is signed in, and an open invitation of the same address. */
async function openStage(server: TestServer, provider: OpenIdProvider, origin: string): Promise<Stage> {
  const schools = [newSchool(), newSchool()]
  // Each history has its own network: the failure budget of an address is not part of the model.
  const network = `2001:db8:${newId().slice(-12, -8)}:${newId().slice(-4)}::1`
  const headers = { ...sameOrigin, 'X-Forwarded-For': network }
  const domain = `${newId()}.example`
  const browsers: Stage['browsers'] = new Map()
  const stage: Stage = {
    server,
    provider,
    origin,
    model: new Model(schools),
    emails: ['head', 'finance', 'adviser'].map((name) => `${name}@${domain}`),
    staffIds: new Map(),
    links: [],
    passkeys: [],
    browsers,
    call(tab, endpoint, input = {}) {
      const browser = browsers.get(tab) ?? openTab(server)
      browsers.set(tab, browser)
      return browser.call(endpoint, input, headers)
    },
  }
  for (const school of schools) await openSchool(stage, school)
  return stage
}

function newSchool(): ModelSchool {
  return { corp_id: newId(), users: new Set(), hasProvider: false }
}

async function openSchool(stage: Stage, { corp_id }: ModelSchool): Promise<void> {
  const { server, provider, origin, model, staffIds } = stage
  const { owner } = server.database
  await createOrganization(owner, { corp_id, name: 'School' }, new Date())
  provider.register(`${origin}/sign-in/${corp_id}`)

  const email = `admin@${corp_id}.example`
  const administrator = model.add({ ...newAccount(corp_id, email, 'admin'), password })
  const { staff_id, token } = await addSignedIn(server, { corp_id, email, role: 'admin' })
  staffIds.set(administrator, staff_id)
  const tab = newTab(stage)
  tab.account = administrator
  stage.browsers.set(tab, openTab(server, token))

  const invited = { corp_id, staff_id: newId(), email: pick(stage.emails, 0), name: 'Head' }
  const invitation = await inviteStaff(owner.of(corp_id), { ...invited, role: 'finance' }, new Date())
  const head = model.add({ ...newAccount(corp_id, invited.email, 'finance'), link: invitation.link })
  staffIds.set(head, invitation.staff_id)
  stage.links.push({ token: invitation.link, account: head })
}

function newAccount(corp_id: string, email: string, role: Role): ModelAccount {
  return { corp_id, email, role, password: null, is_disabled: false, link: undefined, passkeys: new Set() }
}

function newTab({ model }: Stage): ModelTab {
  if (model.tabs.length >= mostTabs) model.tabs.splice(2, 1)
  const tab: ModelTab = { account: undefined }
  model.tabs.push(tab)
  return tab
}

type Play = (stage: Stage, step: Step) => Promise<void>

const plays = {
  /** A tab of either school invites into either school. */
  async invite(stage, step) {
    const { tab, school, email } = picked(stage, step)
    const role = pick(roleNames, step.role)
    const known = stage.model.find(school.corp_id, email)
    const wanted = { corp_id: school.corp_id, email, name: 'Colleague', role }
    const { code, data } = await stage.call(tab, inviteColleague, wanted)
    const expected = refusalOf(tab, school, 'admin') ?? refusedInvitation(known, role) ?? 0
    expect(['invite', code]).toEqual(['invite', expected])
    if (code !== 0) return
    const account = known ?? stage.model.add(newAccount(school.corp_id, email, role))
    Object.assign(account, { role, link: data.link })
    stage.staffIds.set(account, data.staff_id)
    stage.links.push({ token: data.link, account })
  },

  /** Any link ever created, opened in a new tab. */
  async accept(stage, step) {
    const link = pickLatest(stage.links, step.pick)
    if (!link) return
    const { token, account } = link
    const tab = newTab(stage)
    const password = pick(passwords, step.role)
    const { code } = await stage.call(tab, choosePassword, { link: token, password })
    const works = account.link === token && canSignIn(account)
    expect(['accept', code]).toEqual(['accept', works ? 0 : 40109])
    if (!works) return
    stage.model.endSessions(account)
    account.passkeys.clear()
    Object.assign(account, { password, link: undefined })
    tab.account = account
  },

  async reset(stage, step) {
    const { tab, school, account, staff_id } = picked(stage, step)
    const { code, data } = await stage.call(tab, resetColleague, { corp_id: school.corp_id, staff_id })
    const refused = refusalOf(tab, school, 'admin') ?? missing(account) ?? (account!.is_disabled ? 40904 : 0)
    expect(['reset', code]).toEqual(['reset', refused])
    if (code !== 0) return
    account!.link = data.link
    stage.links.push({ token: data.link, account: account! })
  },

  async changeRole(stage, step) {
    const role = pick([...roleNames, 'none' as const], step.role)
    await changeRoleTo(stage, step, role)
  },

  /** A person gives up their own role. */
  async leave(stage, { tab: n }) {
    const tab = pick(stage.model.tabs, n)
    if (!tab.account) return
    const { corp_id, email } = tab.account
    const school = stage.model.schools.findIndex((each) => each.corp_id === corp_id)
    await changeRoleTo(stage, { tab: n, school, email }, 'none')
  },

  /** By the operator. */
  async disable(stage, step) {
    const { school, account, staff_id } = picked(stage, step)
    const on = stage.server.database.owner.of(school.corp_id)
    const key = { corp_id: school.corp_id, staff_id }
    const outcome = await disableStaff(on, key, true, new Date()).then(() => 0, codeOf)
    const expected = missing(account) ?? lostAdministrator(stage, account!, { is_disabled: true }) ?? 0
    expect(['disable', outcome]).toEqual(['disable', expected])
    if (outcome !== 0) return
    Object.assign(account!, { is_disabled: true, link: undefined })
    stage.model.endSessions(account!)
  },

  async enable(stage, step) {
    const { school, account, staff_id } = picked(stage, step)
    if (!account?.role) return
    const on = stage.server.database.owner.of(school.corp_id)
    await disableStaff(on, { corp_id: school.corp_id, staff_id }, false, new Date())
    Object.assign(account, { is_disabled: false, link: undefined })
    stage.model.endSessions(account)
  },

  signIn: (stage, step) => signInWith(stage, step, undefined),
  signInAt: (stage, step) => signInWith(stage, step, pick(stage.model.schools, step.school).corp_id),

  async changePassword(stage, step) {
    const tab = pick(stage.model.tabs, step.tab)
    const { account } = tab
    const [password, new_password] = [pick(passwords, step.role), pick(passwords, step.pick)]
    const { code } = await stage.call(tab, changePassword, { password, new_password })
    const expected = !account ? signedOut : account.password === password ? 0 : 40108
    expect(['changePassword', code]).toEqual(['changePassword', expected])
    if (code !== 0) return
    stage.model.endSessions(account!)
    account!.password = new_password
    tab.account = account
  },

  async signOut(stage, step) {
    const tab = pick(stage.model.tabs, step.tab)
    const { account } = tab
    const everywhere = step.pick % 2 === 0
    const { code } = await stage.call(tab, endSession, { everywhere })
    expect(['signOut', code]).toEqual(['signOut', account ? 0 : signedOut])
    if (account && everywhere) stage.model.endSessions(account)
    tab.account = undefined
  },

  async addPasskey(stage, step) {
    const tab = pick(stage.model.tabs, step.tab)
    const { account } = tab
    const begun = await stage.call(tab, beginPasskey)
    const expected = !account ? signedOut : tab.isVouched ? 40307 : 0
    expect(['addPasskey', begun.code]).toEqual(['addPasskey', expected])
    if (!account || begun.code !== 0) return
    const { passkey, credential } = makePasskey(begun.data.options, stage.origin)
    expect((await stage.call(tab, createPasskey, { name: 'Laptop', credential })).code).toBe(0)
    account.passkeys.add(passkey.credential_id)
    stage.passkeys.push({ passkey, account })
  },

  async signInByPasskey(stage, step) {
    const made = pickLatest(stage.passkeys, step.pick)
    if (!made) return
    const { passkey, account } = made
    const tab = newTab(stage)
    const { options } = (await stage.call(tab, beginPasskeySignIn)).data
    const { code } = await stage.call(tab, signInByPasskey, { credential: passkey.use(options) })
    const works = account.passkeys.has(passkey.credential_id) && canSignIn(account)
    expect(['signInByPasskey', code]).toEqual(['signInByPasskey', works ? 0 : 40110])
    if (works) tab.account = account
  },

  /** The operator sets the provider of a school, which verifies every address. */
  async setProvider(stage, step) {
    const school = pick(stage.model.schools, step.school)
    const { corp_id } = school
    const wanted = { corp_id, issuer: stage.provider.issuer, ...client, trusts_emails: true }
    await setProvider(stage.server.database.owner.of(corp_id), testKeyring, wanted, new Date())
    school.hasProvider = true
  },

  async removeProvider(stage, step) {
    const { tab, school } = picked(stage, step)
    const { code } = await stage.call(tab, removeSignInProvider, { corp_id: school.corp_id })
    const expected = refusalOf(tab, school, 'admin') ?? (school.hasProvider ? 0 : 40422)
    expect(['removeProvider', code]).toEqual(['removeProvider', expected])
    if (code !== 0) return
    school.hasProvider = false
    for (const each of stage.model.tabs)
      if (each.isVouched && each.account?.corp_id === school.corp_id) each.account = undefined
  },

  /** Sends the provider's response for one school to the redirect URI of that school, or of the other. */
  async signInByProvider(stage, step) {
    const { school, email } = picked(stage, step)
    const { corp_id } = school
    const tab = newTab(stage)
    const begun = await stage.call(tab, beginProviderSignIn, { corp_id })
    expect(['begin', begun.code]).toEqual(['begin', school.hasProvider ? 0 : 40422])
    if (begun.code !== 0) return
    const returned = await stage.provider.logIn(begun.data.url, email)
    const target = step.pick % 4 === 0 ? pick(stage.model.schools, step.school + 1).corp_id : corp_id
    const { code } = await stage.call(tab, signInByProvider, { corp_id: target, returned })
    const account = stage.model.find(corp_id, email)
    const works = target === corp_id && account !== undefined && canSignIn(account)
    expect(['signInByProvider', code]).toEqual(['signInByProvider', works ? 0 : 40111])
    if (works) Object.assign(tab, { account, isVouched: true })
  },

  /** The same person writes to both schools. */
  async createUser(stage, step) {
    const { tab, school } = picked(stage, step)
    const { corp_id } = school
    const { code, data } = await stage.call(tab, createUser, { corp_id, area_code: '86', mobile })
    expect(['createUser', code]).toEqual(['createUser', refusalOf(tab, school, 'write') ?? 0])
    if (code === 0) school.users.add(data.user_id)
  },

  /** Uses the id of a person of either school: a foreign id looks like a missing one. */
  async eraseUser(stage, step) {
    const { tab, school } = picked(stage, step)
    const [user_id] = pick(stage.model.schools, step.pick).users
    if (!user_id) return
    const { code } = await stage.call(tab, eraseUser, {
      corp_id: school.corp_id,
      user_id,
      reason: 'Asked',
      confirm_debt: true,
    })
    const isOwn = school.users.has(user_id)
    const expected = refusalOf(tab, school, 'admin') ?? (isOwn ? 0 : 40401)
    expect(['eraseUser', code]).toEqual(['eraseUser', expected])
    if (code === 0) school.users.delete(user_id)
  },
} satisfies Record<string, Play>

export type StepKind = keyof typeof plays
export const stepKinds = Object.keys(plays) as StepKind[]

async function changeRoleTo(
  stage: Stage,
  step: { tab: number; school: number; email: number | string },
  role: Role | 'none',
): Promise<void> {
  const { tab, school, account, staff_id } = picked(stage, step)
  const { code } = await stage.call(tab, updateRole, { corp_id: school.corp_id, staff_id, role })
  const wanted = role === 'none' ? null : role
  const expected =
    refusalOf(tab, school, 'admin') ??
    missing(account) ??
    lostAdministrator(stage, account!, { role: wanted }) ??
    0
  expect(['changeRole', code]).toEqual(['changeRole', expected])
  if (code !== 0) return
  account!.role = wanted
  if (wanted !== null) return
  account!.passkeys.clear()
  Object.assign(account!, { password: null, link: undefined })
  stage.model.endSessions(account!)
}

async function signInWith(stage: Stage, step: Step, corp_id: string | undefined): Promise<void> {
  const { email } = picked(stage, step)
  const tab = newTab(stage)
  const password = pick(passwords, step.role)
  const opened = stage.model.openedBy(email, password, corp_id)
  const { code, data } = await stage.call(tab, createSession, {
    email,
    password,
    ...(corp_id && { corp_id }),
  })
  expect(['signIn', code]).toEqual(['signIn', opened.length > 0 ? 0 : 40108])
  if (opened.length === 0) return
  if (opened.length === 1) {
    tab.account = opened[0]
    return
  }
  const offered = data.schools.map((school: { corp_id: string }) => school.corp_id).sort()
  expect([data.session, offered]).toEqual([null, opened.map((account) => account.corp_id).sort()])
  const chosen = pick(opened, step.pick)
  const again = await stage.call(tab, createSession, { email, password, corp_id: chosen.corp_id })
  expect(again.code).toBe(0)
  tab.account = chosen
}

/** Every tab can do what the role of its account permits in its own school, and nothing in the other. */
async function checkReach(stage: Stage, when: string): Promise<void> {
  const { model } = stage
  const checkIn = async (tab: ModelTab, school: ModelSchool) => {
    const { corp_id } = school
    const users = await stage.call(tab, listUsers, { corp_id })
    expect([when, users.code]).toEqual([when, refusalOf(tab, school, 'read') ?? 0])
    if (users.code === 0)
      expect(users.data.list.map(({ user_id }: { user_id: string }) => user_id)).toEqual([...school.users])
    const managed = await stage.call(tab, listApiAccounts, { corp_id })
    expect([when, managed.code]).toEqual([when, refusalOf(tab, school, 'admin') ?? 0])
  }
  const check = async (tab: ModelTab) => {
    const { account } = tab
    const session = await stage.call(tab, fetchSession)
    const { email, organization } = session.code === 0 ? session.data : {}
    expect([when, email, organization?.corp_id, organization?.role]).toEqual([
      ...[when, account?.email, account?.corp_id, account?.role],
    ])
    // Without a session the organization makes no difference: the call is refused before it is read.
    for (const school of account ? model.schools : [pick(model.schools, model.tabs.indexOf(tab))])
      await checkIn(tab, school)
  }
  await Promise.all(model.tabs.map(check))
}

/** A browser without a session sends no cookie, or an expired one: both are refused. */
const signedOut = expect.toSatisfy((code: number) => [40101, 40107].includes(code), 'signed out')

/** The code that the tab gets in the school; undefined if it is allowed. */
function refusalOf({ account }: ModelTab, { corp_id }: ModelSchool, permission: string) {
  if (!account) return signedOut
  if (account.corp_id !== corp_id) return may(account, permission) ? 40301 : notGranted
  return may(account, permission) ? undefined : 40303
}

/** The permission is checked before the organization, in which the account has none. */
const notGranted = expect.toSatisfy((code: number) => [40301, 40303].includes(code), 'not granted')

function refusedInvitation(known: ModelAccount | undefined, role: Role): number | undefined {
  if (known?.role && (isActive(known) || known.role !== role)) return 40901
  return known?.is_disabled ? 40904 : undefined
}

function missing(account: ModelAccount | undefined): number | undefined {
  return account?.role ? undefined : 40420
}

function lostAdministrator({ model }: Stage, account: ModelAccount, changed: Partial<ModelAccount>) {
  return model.keepsAdministrator(account, changed) ? undefined : 40904
}

function codeOf(error: { code?: number }): number {
  if (error.code === undefined) throw error
  return error.code
}

/** An address of one school or of its administrator; `staff_id` is that of the account, or nobody's. */
function picked(stage: Stage, step: { tab: number; school: number; email: number | string }) {
  const { model, staffIds, emails } = stage
  const school = pick(model.schools, step.school)
  const own = [...emails, `admin@${school.corp_id}.example`]
  const email = typeof step.email === 'string' ? step.email : pick(own, step.email)
  const account = model.find(school.corp_id, email)
  const staff_id = (account && staffIds.get(account)) ?? newId()
  return { tab: pick(model.tabs, step.tab), school, email, account, staff_id }
}

function pick<T>(items: readonly T[], n: number): T {
  return items[n % items.length]!
}

/** Mostly the newest, sometimes an earlier one. */
function pickLatest<T>(items: readonly T[], n: number): T | undefined {
  return items[Math.max(0, items.length - 1 - (n % 3))]
}
