import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/harness/server.ts'
import { codeBlocksOf, titleOf } from './guide-markdown.ts'
import { readChapters } from './guide-pages.ts'

const run = promisify(execFile)
const chapters = await readChapters()

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'matricula-guide-'))
  await writeFile(join(folder, 'sample.json'), JSON.stringify(server.sample, null, 2))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await server?.close()
})

/** Runs a block as a reader would paste it, in a folder with the files that earlier chapters save. */
async function outputOf(file: string): Promise<string> {
  const [command, args] = file.endsWith('.sh')
    ? ['bash', ['-euo', 'pipefail', file]]
    : [process.execPath, [file]]
  const env = { ...process.env, MATRICULA_URL: server.url }
  const { stdout } = await run(command as string, args as string[], { cwd: folder, env, timeout: 60_000 })
  return stdout
}

describe('the code of the guide', () => {
  for (const { name, text } of chapters)
    for (const { language, marks, name: block, code } of codeBlocksOf(text.en))
      test(`${name}: ${block}`, async () => {
        const isSaved = block.includes('.')
        const file = isSaved ? block : `${block}.${language === 'sh' ? 'sh' : 'mjs'}`
        await writeFile(join(folder, file), code)
        const output = await outputOf(file)
        if (isSaved) return
        expect(output.trim()).not.toBe('')
        // curl prints the response of the service.
        const codes = [...output.matchAll(/"code":(\d+),"msg"/g)].map(([, code]) => Number(code))
        if (language !== 'sh' || block === 'install-client') return
        expect(codes.length).toBeGreaterThan(0)
        if (marks.includes('refused')) expect(codes).toEqual([40002])
        else if (block === 'import-leads') expect(codes).toEqual([0, 0, 40002])
        else expect(codes.every((each) => each === 0)).toBe(true)
      })

  test('prints the output that the guide shows', async () => {
    const [users, paid, amounts, outcomes, genuine] = await Promise.all(
      ['create-once.sh', 'all-orders.mjs', 'amounts.mjs', 'import-outcomes.mjs', 'verify-webhook.mjs'].map(
        outputOf,
      ),
    )
    const created = users!
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).data.user_id)
    expect(created[1]).toBe(created[0])
    const { rows } = await server.database.superuser.query(
      "select count(*)::integer as count from orders where corp_id = $1 and status = 'success'",
      [server.sample.corp_id],
    )
    expect(paid).toBe(`${rows[0].count} orders are fully paid\n`)
    expect(amounts).toMatch(/^36892\.00 CNY \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+\n$/)
    expect(outcomes).toMatch(/^guide-3 [0-9a-f]{32}\nguide-4 40001 .+\n$/)
    expect(genuine).toBe('true false\n')
  })
})

describe('the pages of the guide', () => {
  const read = async (path: string, language: string) => {
    const response = await fetch(`${server.url}${path}`, { headers: { 'accept-language': language } })
    return { status: response.status, text: await response.text() }
  }

  test('has ten chapters in the order of the contents, each in both languages with the same code', () => {
    expect(chapters.map(({ name }) => name)).toEqual([
      ...['first-call', 'tokens', 'paging', 'keeping-a-copy', 'idempotency', 'errors-and-retries'],
      ...['money-and-time', 'imports', 'webhooks', 'going-live'],
    ])
    for (const { text } of chapters) {
      expect(codeBlocksOf(text.zh)).toEqual(codeBlocksOf(text.en))
      expect(titleOf(text.zh)).toMatch(/\p{Script=Han}|Webhook/u)
      expect(text.en.replaceAll(/```[\s\S]*?```/g, '')).not.toMatch(/\p{Script=Han}/u)
    }
  })

  test.each(['en', 'zh'] as const)('are shown in the language of the reader: %s', async (language) => {
    const contents = await read('/docs/guide', language)
    for (const { name, text } of chapters) {
      expect(contents.text).toContain(`href="/docs/guide/${name}?language=${language}"`)
      const { status, text: page } = await read(`/docs/guide/${name}`, language)
      expect(status).toBe(200)
      expect(page).toContain(`<html lang="${language}">`)
      expect(page).toContain(`<h1>${titleOf(text[language])}</h1>`)
      expect(page.match(/<pre /g)?.length).toBe(codeBlocksOf(text.en).length)
      expect(page).not.toMatch(/```|\{\{|\]\(/)
      const links = [...page.matchAll(/href="(\/docs[^"]*)"/g)].map(([, link]) =>
        link!.replaceAll('&amp;', '&'),
      )
      for (const link of new Set(links)) expect((await fetch(`${server.url}${link}`)).status, link).toBe(200)
    }
  })

  test('are linked from the reference, and switch the language', async () => {
    expect((await read('/docs', 'en')).text).toContain('href="/docs/guide"')
    const page = await read('/docs/guide/paging?language=zh', 'en')
    expect(page.text).toContain('<h1>分页</h1>')
    expect(page.text).toContain('href="/docs/guide/paging?language=en"')
    expect((await read('/docs/guide/nowhere', 'en')).status).toBe(404)
  })
})
