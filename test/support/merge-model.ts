/**
 * A model of people, merges and undos, independent of the service. A record has a home: the user who got it. It is at the
 * user into whom its home is merged now. Users are plain values with a token per content; an undo restores a user whose
 * token is still that of the change, and otherwise the members that nobody else has changed.
 */

const members = ['name', 'company_name', 'mobile', 'backup_mobile', 'email', 'pool'] as const
type Member = (typeof members)[number]
export type ModelUser = Record<Member, string | null> & { owner_ids: string[]; token: number }

interface ModelTag {
  user: string
  value: string
  token: number
}

/** A change of a user or a tag; undefined if it does not exist. */
interface Change<Value> {
  id: string
  before: Value | undefined
  after: Value | undefined
}

interface Batch {
  users: Change<ModelUser>[]
  tags: Change<ModelTag>[]
  /** The merge that the batch made, ended or repeated. */
  merge?: { merge_id: string; survivor: string; merged: string; alias: Alias; isEnd: boolean }
  undoes?: string
  undoneBy?: string
}

/** A merged user: into whom, by which merge, and the contacts it had. */
interface Alias {
  into: string
  merge_id: string
  mobile: string | null
  email: string | null
}

export type Refusal = { code: number; reason?: string; merge_id?: string }
type Undone = { left: Set<string> } | { refusal: Refusal }

export function createMergeModel() {
  const users = new Map<string, ModelUser>()
  const aliases = new Map<string, Alias>()
  const tags = new Map<string, ModelTag>()
  /** The home of leads, orders and follow-ups. */
  const homes = new Map<string, string>()
  const batches = new Map<string, Batch>()
  let tokens = 0
  const next = () => ++tokens

  /** The live user of an id. */
  const rootOf = (id: string): string => {
    const alias = aliases.get(id)
    return alias ? rootOf(alias.into) : id
  }
  const need = (id: string): ModelUser => users.get(id)!
  const tagAt = (user: string) => [...tags].find(([, tag]) => tag.user === user)

  /** Whether another user than this one has the contact, or had it before a merge. */
  const holderOf = (name: 'mobile' | 'email', value: string | null, except: string): string | undefined => {
    if (value === null) return undefined
    const live = [...users].find(([id, user]) => id !== except && user[name] === value)
    const merged = [...aliases].find(([id, alias]) => rootOf(id) !== except && alias[name] === value)
    return live?.[0] ?? (merged && rootOf(merged[0]))
  }

  function change(id: string, set: Partial<ModelUser>): Change<ModelUser> {
    const before = need(id)
    const after = { ...before, ...set, token: next() }
    users.set(id, after)
    return { id, before, after }
  }

  function merge(merge_id: string, survivor: string, merged: string): void {
    const [kept, gone] = [need(survivor), need(merged)]
    const set: Partial<ModelUser> = {
      owner_ids: [...kept.owner_ids, ...gone.owner_ids.filter((owner) => !kept.owner_ids.includes(owner))],
    }
    for (const name of members) if (name !== 'pool') set[name] = kept[name] ?? gone[name]
    if (kept.backup_mobile === null && kept.mobile && gone.mobile) set.backup_mobile = gone.mobile
    const own = tagAt(survivor)
    const moved = [...tags].filter(([, tag]) => tag.user === merged)
    const tagChanges = moved.map(([id, before]): Change<ModelTag> => {
      const after = own ? undefined : { ...before, user: survivor, token: next() }
      if (after) tags.set(id, after)
      else tags.delete(id)
      return { id, before, after }
    })
    const userChanges = [change(survivor, set), { id: merged, before: gone, after: undefined }]
    users.delete(merged)
    const alias = { into: survivor, merge_id, mobile: gone.mobile, email: gone.email }
    aliases.set(merged, alias)
    const made = { merge_id, survivor, merged, alias, isEnd: false }
    batches.set(merge_id, { users: userChanges, tags: tagChanges, merge: made })
  }

  /** Undoes one change of a user. Returns the change that this makes. */
  function revertUser({ id, before, after }: Change<ModelUser>, left: Set<string>): Change<ModelUser>[] {
    const current = users.get(id)
    if (!before || !after) {
      if (before) users.set(id, before)
      else users.delete(id)
      return [{ id, before: current, after: before }]
    }
    if (!current) {
      left.add(id)
      return []
    }
    const isUntouched = current.token === after.token
    if (!isUntouched) left.add(id)
    const restored = { ...current }
    let isChanged = isUntouched
    for (const name of members) {
      if (before[name] === after[name]) continue
      if (current[name] !== after[name]) continue
      restored[name] = before[name]
      isChanged = true
    }
    if (String(before.owner_ids) !== String(after.owner_ids)) {
      restored.owner_ids = ownersWithout(current.owner_ids, before.owner_ids, after.owner_ids)
      isChanged = true
    }
    if (!isChanged) return []
    users.set(id, { ...restored, token: isUntouched ? before.token : next() })
    return [{ id, before: current, after: users.get(id) }]
  }

  function revertTag({ id, before, after }: Change<ModelTag>, left: Set<string>): Change<ModelTag>[] {
    const current = tags.get(id)
    if (after && current?.token !== after.token) {
      left.add(id)
      return []
    }
    if (before) tags.set(id, before)
    else tags.delete(id)
    return [{ id, before: current, after: before }]
  }

  /** The reason why a merge cannot be ended or repeated. */
  function obstacleOf({ users: changes, tags: tagChanges, merge }: Batch): Refusal | undefined {
    if (!merge) return undefined
    const { survivor, merged, merge_id, isEnd } = merge
    const others = [survivor, merged]
      .flatMap((id) => aliases.get(id)?.merge_id ?? [])
      .filter((id) => isEnd || id !== merge_id)
    // The last merge is named.
    const last = others.sort().at(-1)
    if (last !== undefined) return { code: 40904, reason: 'unmerge_first', merge_id: last }
    const again = { code: 40904, reason: 'merge_again' }
    if (!isEnd) return users.has(merged) ? again : undefined
    const made = changes.find(({ id }) => id === merged)!.after!
    if (users.get(merged)?.token !== made.token) return again
    const leaving = tagChanges.filter(({ id, after }) => after && tags.get(id)?.token === after.token)
    const othersTags = [...tags].filter(
      ([id, tag]) => tag.user === merged && !leaving.some((tag) => tag.id === id),
    )
    const homesThere = [...homes].filter(([, home]) => rootOf(home) === merged)
    const isNew = homesThere.some(([id]) => !atEnd.get(merge)?.has(id))
    const aliasesThere = [...aliases].filter(([, alias]) => alias.into === merged)
    const isMergedInto = aliasesThere.some(([id]) => !atEnd.get(merge)?.has(id))
    if (othersTags.length > 0 || isNew || isMergedInto) return again
    const moving = leaving.filter(({ before }) => before?.user === survivor)
    return moving.length > 0 && tagAt(survivor) ? again : undefined
  }
  /** The records that a merged user got back. */
  const atEnd = new Map<object, Set<string>>()

  function undo(batch_id: string, undo_id: string): Undone {
    const batch = batches.get(batch_id)!
    if (batch.undoneBy) return { refusal: { code: 40904 } }
    const refusal = obstacleOf(batch)
    if (refusal) return { refusal }
    const left = new Set<string>()
    const done: Batch = { users: [], tags: [], undoes: batch_id }
    if (batch.merge) {
      const { merged, survivor, alias, isEnd } = batch.merge
      if (isEnd) aliases.set(merged, { ...alias, into: survivor })
      else aliases.delete(merged)
      done.merge = { ...batch.merge, isEnd: !isEnd }
    }
    for (const each of batch.users) done.users.push(...revertUser(each, left))
    if (batch.merge && !batch.merge.isEnd) keepFree(batch.merge.merged, done, left)
    if (!batch.merge) for (const each of done.users) keepPresent(each, left)
    for (const each of batch.tags) done.tags.push(...revertTag(each, left))
    if (done.merge?.isEnd) {
      const { merged } = done.merge
      const there = [...homes].filter(([, home]) => rootOf(home) === merged).map(([id]) => id)
      const mergedThere = [...aliases].filter(([, alias]) => alias.into === merged).map(([id]) => id)
      atEnd.set(done.merge, new Set([...there, ...mergedThere]))
    }
    batches.set(undo_id, done)
    markUndone(batch_id, undo_id)
    return { left }
  }

  /** Along a series of undos, every second batch is in force. */
  function markUndone(batch_id: string, undo_id: string): void {
    let by: string | undefined = undo_id
    for (let id: string | undefined = batch_id; id; ) {
      const batch: Batch = batches.get(id)!
      batch.undoneBy = by
      by = by ? undefined : id
      id = batch.undoes
    }
  }

  /** A user returns without a contact that another user has now. */
  function keepFree(id: string, done: Batch, left: Set<string>): void {
    const back = need(id)
    const isTaken = (name: 'mobile' | 'email') =>
      back[name] !== null && [...users].some(([other, user]) => other !== id && user[name] === back[name])
    const taken = (['mobile', 'email'] as const).filter(isTaken)
    if (taken.length === 0) return
    left.add(id)
    users.set(id, { ...back, ...Object.fromEntries(taken.map((name) => [name, null])) })
    for (const each of done.users) if (each.id === id) each.after = need(id)
  }

  /** A user keeps its contact if another one has the earlier contact now. */
  function keepPresent(each: Change<ModelUser>, left: Set<string>): void {
    const { id, before, after } = each
    if (!before || !after) return
    const kept = (['mobile', 'email'] as const).filter(
      (name) => before[name] !== after[name] && holderOf(name, after[name], id),
    )
    if (kept.length === 0) return
    left.add(id)
    const restored = { ...after, ...Object.fromEntries(kept.map((name) => [name, before[name]])) }
    const isSame = [...members, 'owner_ids' as const].every(
      (name) => String(restored[name]) === String(before[name]),
    )
    each.after = isSame ? before : restored
    users.set(id, each.after)
  }

  return { users, aliases, tags, homes, batches, rootOf, holderOf, change, merge, undo, next, tagAt }
}

export type MergeModel = ReturnType<typeof createMergeModel>

/** Removes the owners that a change added, and puts those that it removed in front. */
function ownersWithout(current: string[], before: string[], after: string[]): string[] {
  if (String(current) === String(after)) return before
  const back = before.filter((owner) => !after.includes(owner) && !current.includes(owner))
  return [...back, ...current.filter((owner) => before.includes(owner) || !after.includes(owner))]
}
