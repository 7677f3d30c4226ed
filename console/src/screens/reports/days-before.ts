/** The day a number of days before another, both as YYYY-MM-DD. */
export function daysBefore(day: string, days: number): string {
  const noon = new Date(`${day}T12:00:00Z`)
  noon.setUTCDate(noon.getUTCDate() - days)
  return noon.toISOString().slice(0, 10)
}
