import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isCrowded } from './is-crowded.ts'

/** An organization, and a program that may write to it. */
export interface Reached {
  url: string
  token: string
  corp_id: string
}

export interface Answer {
  status: number
  code: number
  msg?: string
  data: Record<string, unknown>
}

/** Calls like clients that repeat a call with its key where the machine is crowded. */
export async function callEntity(
  reached: Reached,
  path: string,
  input: object,
  method: 'GET' | 'POST' = 'POST',
  key: string = randomUUID(),
): Promise<Answer> {
  const { url, token, corp_id } = reached
  const isRead = method === 'GET'
  const query = isRead ? `?${new URLSearchParams({ corp_id, ...input })}` : ''
  const response = await fetch(`${url}/api/v5/entity/${path}${query}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(!isRead && { 'Content-Type': 'application/json', 'Idempotency-Key': key }),
    },
    ...(!isRead && { body: JSON.stringify({ corp_id, ...input }) }),
  })
  const text = await response.text()
  if (response.status === 502) throw new Error(`The proxy answered 502: ${text}`)
  const answer = { status: response.status, ...(JSON.parse(text) as Omit<Answer, 'status'>) }
  if (!isCrowded(answer)) return answer
  await pause(1000)
  return callEntity(reached, path, input, method, key)
}

/** A person that was created and renamed. */
export interface Renamed {
  name: string
  /** When the first write began, and when the second one was acknowledged. */
  begunAt: number
  acknowledgedAt: number
}

/** Creates and renames people until stopped, and compares two responses about each. */
export function startRenaming(reached: Reached, writesPerSecond: number, callers = 16) {
  const people = new Map<string, Renamed>()
  const failures: unknown[] = []
  const contradictions: unknown[] = []
  let isOver = false
  let writes = 0
  const expectSuccess = (answer: Answer) => {
    if (answer.code !== 0) throw new Error(JSON.stringify(answer))
    return answer.data
  }
  async function work(caller: number): Promise<void> {
    let dueMs = performance.now()
    for (let n = 0; !isOver; n++) {
      const begunAt = Date.now()
      const email = `caller${caller}-${n}@example.com`
      const name = `Name ${caller} ${n}`
      try {
        const created = expectSuccess(await callEntity(reached, 'user/create', { email }))
        const user_id = String(created.user_id)
        expectSuccess(await callEntity(reached, 'user/update', { user_id, name }))
        writes += 2
        people.set(user_id, { name, begunAt, acknowledgedAt: Date.now() })
        const profile = expectSuccess(await callEntity(reached, 'profile/fetch', { user_id }, 'GET'))
        const user = expectSuccess(await callEntity(reached, 'user/fetch', { user_id }, 'GET'))
        if (profile.name !== name || user.name !== name) contradictions.push({ name, profile, user })
      } catch (error) {
        failures.push(error)
      }
      // On schedule: after an interruption, the caller makes up for what it missed.
      dueMs += (2 * callers * 1000) / writesPerSecond
      await pause(Math.max(0, dueMs - performance.now()))
    }
  }
  const beganMs = performance.now()
  const working = Array.from({ length: callers }, (_, caller) => work(caller))
  return {
    async stop() {
      isOver = true
      await Promise.all(working)
      const perSecond = writes / ((performance.now() - beganMs) / 1000)
      return { people, failures, contradictions, writes, perSecond }
    },
  }
}
