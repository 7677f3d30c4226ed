import { loadSample, type SampleCredentials } from '../../sample/load-sample.ts'
import { addFinance } from '../../sample/sample-finance.ts'
import { addLeadFile } from '../../sample/sample-lead-file.ts'
import type { TestDatabase } from './database.ts'
import { testKeyring } from './keyring.ts'

/** Loads the sample school as a first start does: up to yesterday, with the work of its finance office. */
export async function loadFirstStart({ owner }: TestDatabase, now: Date): Promise<SampleCredentials> {
  const present: Parameters<typeof loadSample>[3] = {
    now,
    async add(tx, school) {
      await addFinance(tx, school, now)
      await addLeadFile(tx, school, now)
    },
  }
  return loadSample(owner, testKeyring, async () => {}, present)
}
