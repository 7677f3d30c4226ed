import { RowRefused } from '../spreadsheet/column-faults.ts'
import type { RowMembers } from './columns.ts'
import type { KnownUser } from './import-lookup-store.ts'

/** A user of this batch of rows: known, or to be made; and whether rows have filled a blank of it. */
export interface RowUser extends KnownUser {
  isNew: boolean
  isFilled: boolean
}

/** The users that a batch of rows is about. Rows that stand above count: two rows of one new user make one. */
export class RowUsers {
  private readonly all: RowUser[] = []
  private readonly byId = new Map<string, RowUser>()
  private readonly byNumber = new Map<string, RowUser>()
  private readonly byEmail = new Map<string, RowUser>()

  constructor(known: KnownUser[]) {
    for (const user of known) this.admit({ ...user, isNew: false, isFilled: false })
  }

  /** The user that the row names; undefined where there is none yet. */
  find(members: RowMembers): RowUser | undefined {
    const { user_id, area_code, mobile, email } = members
    const byId = user_id === undefined ? undefined : this.byId.get(user_id)
    if (user_id !== undefined && !byId) throw new RowRefused('user_id', 'names no user of the organization')
    const byNumber = mobile === undefined ? undefined : this.byNumber.get(numberKey(area_code!, mobile))
    const byEmail = email === undefined ? undefined : this.byEmail.get(email.toLowerCase())
    const user = byId ?? byNumber ?? byEmail
    if (byNumber && byNumber !== user) throw new RowRefused('mobile', 'belongs to another user')
    if (byEmail && byEmail !== user) throw new RowRefused('email', 'belongs to another user')
    return user
  }

  /** Once the row is accepted: its user, made where there is none, its blanks filled with what the row says. */
  take(members: RowMembers, newId: () => string): RowUser {
    const { area_code = null, mobile = null, email = null, name = null } = members
    const found = this.find(members)
    if (!found) {
      const number = mobile === null ? { area_code: null, mobile: null } : { area_code, mobile }
      return this.admit({ user_id: newId(), ...number, email, name, isNew: true, isFilled: false })
    }
    const filled = {
      ...(found.mobile === null && mobile !== null && { area_code, mobile }),
      ...(found.email === null && email !== null && { email }),
      ...(found.name === null && name !== null && { name }),
    }
    if (Object.keys(filled).length === 0) return found
    return this.admit(Object.assign(found, filled, { isFilled: true }))
  }

  get made(): RowUser[] {
    return this.all.filter(({ isNew }) => isNew)
  }

  get filled(): RowUser[] {
    return this.all.filter(({ isNew, isFilled }) => isFilled && !isNew)
  }

  private admit(user: RowUser): RowUser {
    if (!this.byId.has(user.user_id)) this.all.push(user)
    this.byId.set(user.user_id, user)
    if (user.mobile !== null) this.byNumber.set(numberKey(user.area_code!, user.mobile), user)
    if (user.email !== null) this.byEmail.set(user.email.toLowerCase(), user)
    return user
  }
}

function numberKey(area_code: string, mobile: string): string {
  return `${area_code} ${mobile}`
}
