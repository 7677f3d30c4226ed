import { type Role, roles } from '../../src/access/staff/roles.ts'

/** An independent implementation of the rules of identity: two schools, and people whose addresses both may have. */

export interface ModelAccount {
  corp_id: string
  email: string
  /** Null: a former member of staff. */
  role: Role | null
  password: string | null
  is_disabled: boolean
  /** The only link that works. */
  link: string | undefined
  passkeys: Set<string>
}

/** A browser tab: the account that it is signed in with, if any. */
export interface ModelTab {
  account: ModelAccount | undefined
  /** Whether the provider of the school started the session. */
  isVouched?: boolean
}

export interface ModelSchool {
  corp_id: string
  /** The people whose records the school holds. */
  users: Set<string>
  hasProvider: boolean
}

export class Model {
  readonly accounts = new Map<string, ModelAccount>()
  readonly tabs: ModelTab[] = []

  readonly schools: ModelSchool[]

  constructor(schools: ModelSchool[]) {
    this.schools = schools
  }

  find(corp_id: string, email: string): ModelAccount | undefined {
    return this.accounts.get(`${corp_id} ${email}`)
  }

  add(account: ModelAccount): ModelAccount {
    this.accounts.set(`${account.corp_id} ${account.email}`, account)
    return account
  }

  /** The accounts that an address and a password open. */
  openedBy(email: string, password: string, corp_id?: string): ModelAccount[] {
    return [...this.accounts.values()].filter(
      (account) =>
        account.email === email &&
        account.password === password &&
        canSignIn(account) &&
        (corp_id === undefined || account.corp_id === corp_id),
    )
  }

  endSessions(account: ModelAccount): void {
    for (const tab of this.tabs) if (tab.account === account) tab.account = undefined
  }

  /** Whether the school keeps an administrator who can sign in, where it had one, if `account` becomes `changed`. */
  keepsAdministrator(account: ModelAccount, changed: Partial<ModelAccount>): boolean {
    const own = [...this.accounts.values()].filter(({ corp_id }) => corp_id === account.corp_id)
    const after = own.map((each) => (each === account ? { ...each, ...changed } : each))
    const administrators = (list: ModelAccount[]) =>
      list.filter((each) => each.role === 'admin' && !each.is_disabled)
    const active = (list: ModelAccount[]) => administrators(list).filter(isActive)
    if (account.role !== 'admin' || account.is_disabled) return true
    return active(own).length > 0 ? active(after).length > 0 : administrators(after).length > 0
  }
}

export function canSignIn({ role, is_disabled }: ModelAccount): boolean {
  return role !== null && !is_disabled
}

export function isActive({ password }: ModelAccount): boolean {
  return password !== null
}

export function may(account: ModelAccount, permission: string): boolean {
  return account.role !== null && (roles[account.role] as readonly string[]).includes(permission)
}
