import { ApiError, taken } from '../../contract/errors.ts'
import type { Reach } from '../../contract/guard.ts'
import type { Origin } from '../../contract/origin.ts'
import { requireReach } from './reach.ts'

/** What may fill a blank of a user's profile. */
export const profileDetails = ['name', 'company_name', 'work_exp', 'job_title', 'department', 'city'] as const
export const userDetails = ['area_code', 'mobile', 'email', ...profileDetails] as const

type Details = Record<(typeof userDetails)[number], string | null>

/** A person as a call or a row of a file describes it: by id, number or address, with what is known besides. */
export type Person = Partial<Details> & { user_id?: string | null; owner_ids?: string[] }

/** What a user is made with, should there be none. */
export interface NewUser {
  user_id: string
  pool: string
  now: Date
  /** The account that tells of the person. */
  app_id: string
  /** To whom it may add owners. */
  reach: Reach
  /** Of somebody who shares a transaction with others. */
  origin?: Origin
}

export type PlannedUser = Partial<Details> & {
  user_id: string
  owner_ids: string[]
  pool: string
  ctime: Date
}

/** A user to be made; the reach of who made it is no part of it. */
export type MadeUser = PlannedUser & Omit<NewUser, 'reach'>

/** What is to be filled in the record of a user that exists; owners are those to add. */
export type Filling = Partial<Details> & { owner_ids: string[] } & Omit<NewUser, 'pool' | 'reach'>

/** The users that people name, and what tells their addresses apart. */
export interface NamedUsers {
  users: PlannedUser[]
  /** By the address as it was sent: letter case is the database's business. */
  emailKeys: Map<string, string>
  /** Users that were merged into one of these, and answer as that one. */
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
 * Finds people among the users there are, makes those that are missing and fills blanks, one person after the other:
 * whoever comes later finds what those before have left. Nothing is stored yet.
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
      const user = this.byId.get(user_id)!
      this.byId.set(merged_user_id, user)
      if (area_code && mobile) this.byNumber.set(numberKey(area_code, mobile), user)
      if (email_key && !this.byEmail.has(email_key)) this.byEmail.set(email_key, user)
    }
  }

  /** Whether there is anything to store. */
  get isChanging(): boolean {
    return this.made.size + this.filled.size > 0
  }

  /** The user that the person names; undefined where there is none yet. */
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

  /** The user that the person names, made where there is none, its blanks filled and its owners added. */
  findOrMake(person: Person, newUser: NewUser): { user: PlannedUser; isMade: boolean } {
    const found = this.find(person)
    if (found) return { user: this.fill(found, person, newUser), isMade: false }
    const owner_ids = [...new Set(person.owner_ids)]
    const { reach: _, ...told } = newUser
    const made = { ...detailsOf(person), ...told, ctime: newUser.now, owner_ids }
    this.made.set(made.user_id, made)
    return { user: this.admit(made), isMade: true }
  }

  private fill(user: PlannedUser, person: Person, { pool: _, reach, ...told }: NewUser): PlannedUser {
    const details = blanksFilled(user, detailsOf(person))
    const owners = [...new Set(person.owner_ids)].filter((owner) => !user.owner_ids.includes(owner))
    if (!details && owners.length === 0) return user
    // Or a lead would make everybody's people one's own.
    if (owners.length > 0) requireReach(reach, user)
    // A user that is made here is stored as it stands at the end.
    if (!this.made.has(user.user_id)) {
      const before = this.filled.get(user.user_id)
      this.filled.set(user.user_id, {
        ...before,
        ...details,
        ...{ ...told, user_id: user.user_id, owner_ids: [...(before?.owner_ids ?? []), ...owners] },
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

/** What is known of the person; half a number is none. Always the same members, which the engine copies fastest. */
function detailsOf(person: Person): Partial<Details> {
  const details: Partial<Details> = {}
  for (const name of userDetails) details[name] = person[name] || undefined
  if (!details.area_code || !details.mobile) details.area_code = details.mobile = undefined
  return details
}

/** What of it fills blanks of the user; undefined where nothing does. */
function blanksFilled(user: PlannedUser, details: Partial<Details>): Partial<Details> | undefined {
  const names = userDetails.filter((name) => details[name] && !user[name])
  return names.length > 0 ? Object.fromEntries(names.map((name) => [name, details[name]])) : undefined
}
