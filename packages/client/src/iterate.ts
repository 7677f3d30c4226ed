import type { CallOptions, Warning } from './call-options.ts'

type Page = Record<string, unknown>

export type FetchPage = (input: Page, options?: CallOptions) => Promise<unknown>

/** The service remembers for this long where a page ended. */
const walkMs = 5 * 60_000
const rowsPerPage = 200

/** Every row of a list, page after page. */
export function iterate(
  name: string,
  paging: string,
  fetchPage: FetchPage,
  warn: (warning: Warning) => void,
): (input?: Page, options?: CallOptions) => AsyncGenerator<unknown, void, undefined> {
  const rowsOf = { page: byPage, step: byStep, cursor: byCursor }[paging as 'page' | 'step' | 'cursor']
  return async function* rows(input = {}, options) {
    let fetchedAtMs = 0
    let isWarned = false
    const fetchInTime: FetchPage = async (each) => {
      const isLate = fetchedAtMs > 0 && Date.now() - fetchedAtMs > walkMs
      if (isLate && !isWarned) {
        isWarned = true
        const message = `${name}: the rows of a page took more than five minutes. Rows that changed in the same time may be missing: use a smaller page_size.`
        warn({ operation: name, message })
      }
      const data = await fetchPage(each, options)
      fetchedAtMs = Date.now()
      return data
    }
    yield* rowsOf(input, fetchInTime)
  }
}

/** Rows may leave their place while they are read, so a short page ends the list, not its total. */
async function* byPage(input: Page, fetchPage: FetchPage) {
  const { page_size = rowsPerPage } = input
  for (let page = 0; ; page++) {
    const { list } = (await fetchPage({ ...input, page, page_size })) as { list: unknown[] }
    yield* list
    if (list.length < (page_size as number)) return
  }
}

async function* byStep(input: Page, fetchPage: FetchPage) {
  const { step = rowsPerPage } = input
  for (let start_index = 0; ; start_index += step as number) {
    const { rows } = (await fetchPage({ ...input, start_index, step })) as { rows: unknown[] }
    yield* rows
    if (rows.length < (step as number)) return
  }
}

async function* byCursor(input: Page, fetchPage: FetchPage) {
  for (let { after } = input; ; ) {
    const page = (await fetchPage({ ...input, after })) as {
      list: unknown[]
      next_cursor: string
      has_more: boolean
    }
    yield* page.list
    if (!page.has_more) return
    after = page.next_cursor
  }
}
