import { ApiError, taken } from '../../contract/errors.ts'
import type { Reach } from '../../contract/guard.ts'
import type { Origin } from '../../contract/origin.ts'
import { requireReach } from './reach.ts'

/** Details that may fill blanks of a user's profile. */
export const profileDetails = ['name', 'company_name', 'work_exp', 'job_title', 'department', 'city'] as const
export const userDetails = [
  ...(['area_code', 'mobile', 'email', ...profileDetails, 'first_name', 'last_name'] as const),
  ...(['backup_area_code', 'backup_mobile', 'wechat_id', 'external_id', 'birthday'] as const),
] as const

/** Details that fill a blank only if these are blank too: parts of one name, or of one number. */
export const blankTogether: Partial<Record<UserDetail, readonly UserDetail[]>> = {
  first_name: ['name', 'first_name', 'last_name'],
  last_name: ['name', 'first_name', 'last_name'],
  backup_area_code: ['backup_mobile'],
}
export type UserDetail = (typeof userDetails)[number]

type Details = Record<UserDetail, string | null>

/** A person as a call or a row of a file describes it: by id, mobile number or e-mail address, with details. */
export type Person = Partial<Details> & { user_id?: string | null; owner_ids?: string[] }

/** Values for a new user, if no user matches the person. */
export interface NewUser {
  user_id: string
  pool: string
  now: Date
  /** The account that sent the person. */
  app_id: string
  /** The users to which the account may add owners. */
  reach: Reach
  /** The origin of a call that shares its transaction with other calls. */
  origin?: Origin
}

export type PlannedUser = Partial<Details> & {
  user_id: string
  owner_ids: string[]
  pool: string
  ctime: Date
}

/** A user to create. */
export type MadeUser = PlannedUser & Omit<NewUser, 'reach'>

/** Blanks of an existing user to fill, and owners to add. */
export type Filling = Partial<Details> & { owner_ids: string[] } & Omit<NewUser, 'pool' | 'reach'>

/** The users that match people, and the keys of their e-mail addresses. */
export interface NamedUsers {
  users: PlannedUser[]
  /** Keys by the sent address: the database folds letter case. */
  emailKeys: Map<string, string>
  /** Users that were merged into one of these users, which replaces them. */
  merged: MergedPerson[]
}

export interface MergedPerson {
  merged_user_id: string
  user_id: string
  area_code: string | null
  mobile: string | null
  email_key: string | null
}

/**
 * Plans changes of users in memory: finds the user of each person, creates missing users and fills blanks. Each person
 * sees the results of the people before it. `storeUserPlan` stores the plan.
 */
export class UserPlan {
  readonly made = new Map<string, MadeUser>()
  readonly filled = new Map<string, Filling>()
  private readonly byId = new Map<string, PlannedUser>()
  private readonly byNumber = new Map<string, PlannedUser>()
  private readonly byEmail = new Map<string, PlannedUser>()
  private readonly emailKeys: Map<string, string>

  constructor({ users, emailKeys, merged }: NamedUsers) {
    this.emailKeys = emailKeys
    for (const user of users) this.admit(user)
    for (const { merged_user_id, user_id, area_code, mobile, email_key } of merged) {
      const user = this.byId.get(user_id)
      if (!user) continue
      this.byId.set(merged_user_id, user)
      if (area_code && mobile) this.byNumber.set(numberKey(area_code, mobile), user)
      if (email_key && !this.byEmail.has(email_key)) this.byEmail.set(email_key, user)
    }
  }

  /** Whether the plan has anything to store. */
  get isChanging(): boolean {
    return this.made.size + this.filled.size > 0
  }

  /** The user that matches the person, if any. */
  find({ user_id, area_code, mobile, email }: Person): PlannedUser | undefined {
    const byId = user_id ? this.byId.get(user_id) : undefined
    if (user_id && !byId) throw new ApiError('userNotFound')
    const byNumber = area_code && mobile ? this.byNumber.get(numberKey(area_code, mobile)) : undefined
    const byEmail = email ? this.byEmail.get(this.keyOf(email)) : undefined
    const user = byId ?? byNumber ?? byEmail
    if (byNumber && byNumber !== user) throw taken('mobile', 'belongs to another user')
    if (byEmail && byEmail !== user) throw taken('email', 'belongs to another user')
    return user
  }

  /** The user that matches the person, or a new one. Fills blanks and adds owners of an existing user. */
  findOrMake(person: Person, newUser: NewUser): { user: PlannedUser; isMade: boolean } {
    const found = this.find(person)
    if (found) return { user: this.fill(found, person, newUser), isMade: false }
    const owner_ids = [...new Set(person.owner_ids)]
    const { reach: _, ...values } = newUser
    const made = { ...detailsOf(person), ...values, ctime: newUser.now, owner_ids }
    this.made.set(made.user_id, made)
    return { user: this.admit(made), isMade: true }
  }

  private fill(user: PlannedUser, person: Person, { pool: _, reach, ...values }: NewUser): PlannedUser {
    const details = blanksFilled(user, detailsOf(person))
    const owners = [...new Set(person.owner_ids)].filter((owner) => !user.owner_ids.includes(owner))
    if (!details && owners.length === 0) return user
    // Otherwise a counsellor could become owner of any person by sending a lead.
    if (owners.length > 0) requireReach(reach, user)
    // A user that this plan creates is stored in its final state.
    if (!this.made.has(user.user_id)) {
      const before = this.filled.get(user.user_id)
      this.filled.set(user.user_id, {
        ...before,
        ...details,
        ...values,
        user_id: user.user_id,
        owner_ids: [...(before?.owner_ids ?? []), ...owners],
      })
    }
    user.owner_ids.push(...owners)
    return this.admit(Object.assign(user, details))
  }

  private admit(user: PlannedUser): PlannedUser {
    this.byId.set(user.user_id, user)
    if (user.area_code && user.mobile) this.byNumber.set(numberKey(user.area_code, user.mobile), user)
    if (user.email) this.byEmail.set(this.keyOf(user.email), user)
    return user
  }

  private keyOf(email: string): string {
    return this.emailKeys.get(email) ?? email
  }
}

function numberKey(area_code: string, mobile: string): string {
  return `${area_code} ${mobile}`
}

/** The details of a person; a number without area code is dropped. A fixed set of members is fastest to copy. */
function detailsOf(person: Person): Partial<Details> {
  const details: Partial<Details> = {}
  for (const name of userDetails) details[name] = person[name] || undefined
  if (!details.area_code || !details.mobile) details.area_code = details.mobile = undefined
  if (!details.backup_area_code || !details.backup_mobile)
    details.backup_area_code = details.backup_mobile = undefined
  return details
}

/** The details that fill blanks of the user; undefined if none does. */
function blanksFilled(user: PlannedUser, details: Partial<Details>): Partial<Details> | undefined {
  const isBlank = (name: UserDetail) => (blankTogether[name] ?? [name]).every((each) => !user[each])
  const names = userDetails.filter((name) => details[name] && isBlank(name))
  return names.length > 0 ? Object.fromEntries(names.map((name) => [name, details[name]])) : undefined
}
