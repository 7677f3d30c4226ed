import { chosenOrganization } from '../calls/call.ts'

interface RecentRecord {
  organization: string
  screen: 'people' | 'orders'
  id: string
  name: string
}

const key = 'recent-records'
const most = 8

/** The records that this tab opened last, newest first. The browser forgets them with the tab. */
export function recentRecords(): RecentRecord[] {
  return stored().filter(({ organization }) => organization === chosenOrganization())
}

/** Notes that a record was opened. */
export function noteRecord(record: Omit<RecentRecord, 'organization'>): void {
  const others = stored().filter(({ id }) => id !== record.id)
  const records = [{ ...record, organization: chosenOrganization() }, ...others].slice(0, most)
  try {
    sessionStorage.setItem(key, JSON.stringify(records))
  } catch {
    // Without storage, there are no recent records.
  }
}

function stored(): RecentRecord[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]')
  } catch {
    return []
  }
}
