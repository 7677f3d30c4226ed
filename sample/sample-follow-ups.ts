import { daySeconds, later } from './calendar.ts'
import data from './content/follow-ups.json' with { type: 'json' }
import { createRandom } from './random.ts'
import { staffIdOf } from './sample-staff.ts'
import type { SampleUser } from './sample-users.ts'

export interface SampleFollowUp {
  follow_up_id: string
  user_id: string
  owner_id: string
  content: string
  executor_id: string
  ctime: Date
  next_at: Date | null
  is_open: boolean
}

const hourSeconds = 3600

/**
 * Follow-ups of the last ten weeks, and agreed calls. Of the counsellor who can sign
 * in, some are for today and one was missed.
 */
export function makeFollowUps(users: SampleUser[], now: Date): SampleFollowUp[] {
  const random = createRandom(5)
  const followed = users.filter(({ owner_ids, pool }) => owner_ids.length > 0 && pool === 'alive')
  const ofCounsellor = followed.filter(({ owner_ids }) => owner_ids[0] === staffIdOf('counsellor'))
  const today = new Set(ofCounsellor.slice(-7).map(({ user_id }) => user_id))
  return followed.slice(-110).flatMap((user, index): SampleFollowUp[] => {
    const owner_id = user.owner_ids[0]!
    const texts = /\p{Script=Han}/u.test(user.name ?? '') ? data.chinese : data.english
    const [said, agreed] = random.shuffle(texts)
    // Follow-ups are later than the registration.
    const recent = later(now, -random.between(2 * hourSeconds, 9 * daySeconds))
    const earlier = later(recent, -random.between(daySeconds, 60 * daySeconds))
    const next_at = nextCall(random.between(1, 20), today.has(user.user_id) ? index : undefined, now)
    const times = [earlier, recent].filter((time) => time > user.ctime)
    return times.map((ctime, nth) => {
      const isLast = nth === times.length - 1
      return {
        follow_up_id: random.id(ctime),
        user_id: user.user_id,
        owner_id,
        content: (isLast ? agreed : said)!,
        executor_id: owner_id,
        ctime,
        next_at: isLast ? next_at : null,
        is_open: isLast && next_at !== null,
      }
    })
  })
}

/** On a full half hour. Of the calls for today, every fifth was for yesterday. */
function nextCall(days: number, forToday: number | undefined, now: Date): Date | null {
  const halfHour = Math.ceil(now.getTime() / 1_800_000) * 1_800_000
  if (forToday !== undefined) {
    const hours = forToday % 5 === 0 ? -20 : (forToday % 6) - 1
    return new Date(halfHour + hours * hourSeconds * 1000)
  }
  return days % 3 === 0 ? null : later(new Date(halfHour), days * daySeconds)
}
