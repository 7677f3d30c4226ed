import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { eraseUser } from '../../src/changes/erasure/erase-user.ts'
import { listErasures } from '../../src/changes/erasure/list-erasures.ts'
import { fetchLeadFile } from '../../src/changes/lead-import/list-lead-files.ts'
import { commitLeadFile, planLeadFile } from '../../src/changes/lead-import/plan-lead-file.ts'
import { appendLeadFile, createLeadFile } from '../../src/changes/lead-import/upload-lead-file.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ok } from '../harness/expect-success.ts'
import { testKeyring } from '../harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../harness/organization.ts'
import type { Answer, TestServer } from '../harness/server.ts'

const pieceBytes = 500_000

/** A school whose administrator erases people, and whose colleagues upload files. */
export interface School extends TestOrganization {
  /** As an administrator. */
  administer(endpoint: Endpoint, input?: object): Promise<Answer>
  erase(user_id: string): Promise<void>
  upload(content: string | Buffer, file_name?: string): Promise<string>
  plan(content: string | Buffer, file_name?: string): Promise<string>
  commit(import_id: string): Promise<Record<string, unknown>>
  settled(import_id: string): Promise<Record<string, unknown>>
  query(text: string): Promise<Record<string, unknown>[]>
}

export async function openSchool(server: TestServer): Promise<School> {
  const org = await openOrganization(server)
  const { corp_id, call } = org
  const wanted = { name: 'Administrator', corp_ids: [corp_id], permissions: ['read', 'write', 'admin'] }
  const admin = await server.tokenOf(
    await createAccount(server.database.owner, testKeyring, wanted, new Date()),
  )
  const administer: School['administer'] = (endpoint, input = {}) =>
    server.call(endpoint, { corp_id, ...input }, { token: admin })
  const settled: School['settled'] = async (import_id) => {
    for (;;) {
      const data = await ok(call(fetchLeadFile, { import_id }))
      if (data.state !== 'planning' && data.state !== 'committing') return data
      await pause(20)
    }
  }
  const upload: School['upload'] = async (content, file_name = 'fair.csv') => {
    const file = Buffer.from(content)
    const { import_id } = await ok(call(createLeadFile, { file_name, bytes: file.length }))
    for (let start = 0; start < file.length; start += pieceBytes) {
      const content = file.subarray(start, start + pieceBytes).toString('base64')
      await ok(call(appendLeadFile, { import_id, start, content }))
    }
    return import_id
  }
  return {
    ...org,
    administer,
    settled,
    upload,
    async erase(user_id) {
      await ok(administer(eraseUser, { user_id, reason: 'Asked for it', confirm_debt: true }))
      const isComplete = async () =>
        (await ok(administer(listErasures))).list.every((each: { is_complete: boolean }) => each.is_complete)
      while (!(await isComplete())) await pause(20)
    },
    async plan(content, file_name) {
      const import_id = await upload(content, file_name)
      await ok(call(planLeadFile, { import_id }))
      expect(await settled(import_id)).toMatchObject({ state: 'planned' })
      return import_id
    },
    async commit(import_id) {
      await ok(call(commitLeadFile, { import_id }))
      return settled(import_id)
    },
    query: async (text) =>
      (await server.database.superuser.query(text.replaceAll('CORP', `'${corp_id}'`))).rows,
  }
}
