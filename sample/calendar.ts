/** The two years of the sample, in the time zone of the school, which has no daylight saving time. */
export const schoolZone = 'Asia/Shanghai'

export const founded = at('2024-07-01', '09:00:00')
/** Users register before the first order. */
export const firstUser = at('2024-08-01', '00:00:00')
export const firstOrder = at('2024-11-01', '00:00:00')
export const lastMoment = at('2026-10-31', '23:59:59')

export const daySeconds = 86_400

export function at(date: string, time: string): Date {
  return new Date(`${date}T${time}+08:00`)
}

export function later(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}

export function secondsBetween(from: Date, to: Date): number {
  return Math.trunc((to.getTime() - from.getTime()) / 1000)
}

/** The day at the school, YYYY-MM-DD. */
export function schoolDay(moment: Date): string {
  return later(moment, 8 * 3600)
    .toISOString()
    .slice(0, 10)
}

export function endOfSchoolDay(moment: Date): Date {
  return at(schoolDay(moment), '23:59:59')
}
