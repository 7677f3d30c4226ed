import { useCall } from '../../calls/call.ts'
import type { LeadFile } from './recent-imports.tsx'

/** The first rows as the last plan read them. They are empty during a plan, so those of an earlier one are not kept. */
export function usePreview({ import_id, mtime }: LeadFile) {
  return useCall('previewLeadFile', { import_id }, { version: mtime })
}
