import type pg from 'pg'

/** Under a name, it is parsed once per connection. */
export interface Execution {
  text: string
  name?: string
  values: unknown[]
  /** A setting, of which nobody wants to know rows. */
  isSetting?: boolean
  /** Whether the text of its rows is read as one character per byte. */
  readsBytes?: boolean
}

/** What one execution came to. */
export interface Answer {
  command: string
  rowCount: number
  rows: object[]
}

export type PipelineDone = (error: Error | undefined, answers: Answer[]) => void

/** The members of pg's connection that a query object works with. */
interface Wire {
  /** Whether the text of rows is read as one character per byte. */
  readsBytes: boolean
  readonly stream: { cork(): void; uncork(): void }
  readonly parsedStatements: Record<string, string>
  parse(message: { name: string; text: string; types: [] }): void
  bind(message: { portal: string; statement: string; values: unknown[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
  sendCopyFail(reason: string): void
}

interface Columns {
  names: string[]
  readers: ((text: string) => unknown)[]
  /** A row with all of its members, so that all rows are alike from the start. */
  empty: Record<string, unknown>
}

/**
 * Of statements that a connection has under names. PostgreSQL refuses a planned statement whose columns have changed, so
 * they are asked for once. What it does not plan, such as a fetch from a cursor, may answer otherwise the next time.
 */
const plannedCommands = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE'])
const columnsByName = new WeakMap<pg.ClientBase, Map<string, Columns>>()

function columnsOf(client: pg.ClientBase): Map<string, Columns> {
  let columns = columnsByName.get(client)
  if (!columns) {
    columns = new Map()
    columnsByName.set(client, columns)
  }
  return columns
}

function rowOf({ names, readers, empty }: Columns, texts: (string | null)[]): object {
  const row = { ...empty }
  for (let index = 0; index < names.length; index++) {
    const text = texts[index]!
    if (text !== null) row[names[index]!] = readers[index]!(text)
  }
  return row
}

/**
 * Several executions as one query of pg, which tells it by these methods of what comes back. pg's own query object could be
 * made to do so; to ask for the columns every time would take a quarter more of what talking to the database takes.
 */
export class PipelineQuery {
  /** When pg hears that something was parsed, it notes the name and the text that the query has then. */
  name: string | undefined
  text = ''
  private readonly executions: Execution[]
  private readonly client: pg.PoolClient
  private readonly done: PipelineDone
  private readonly answers: Answer[] = []
  private readonly columnsByName: Map<string, Columns>
  /** Undefined where it was never sent: it may fail all the same. */
  private wire: Wire | undefined
  private columns: Columns | undefined
  private rows: object[] = []
  private failure: Error | undefined

  constructor(executions: Execution[], client: pg.PoolClient, done: PipelineDone) {
    this.executions = executions
    this.client = client
    this.done = done
    this.columnsByName = columnsOf(client)
  }

  submit(wire: Wire): void {
    this.wire = wire
    this.goOnTo(this.executions[0])
    const parsed = new Set<string>()
    // One write for all of it.
    wire.stream.cork()
    for (const { name = '', text, values, isSetting } of this.executions) {
      if (name === '' || (wire.parsedStatements[name] === undefined && !parsed.has(name)))
        wire.parse({ name, text, types: [] })
      parsed.add(name)
      wire.bind({ portal: '', statement: name, values })
      if (!isSetting && !this.columnsByName.has(name)) wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '', rows: 0 })
    }
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    const names = fields.map(({ name }) => name)
    this.columns = {
      names,
      readers: fields.map(({ dataTypeID }) => this.client.getTypeParser(dataTypeID, 'text')),
      empty: Object.fromEntries(names.map((name) => [name, null])),
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.columns ??= this.columnsByName.get(this.name!)!
    try {
      this.rows.push(rowOf(this.columns, fields))
    } catch (error) {
      this.failure = error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const words = text.split(' ')
    const command = words[0]!
    this.answers.push({ command, rowCount: Number(words.at(-1)) || 0, rows: this.rows })
    if (this.name !== undefined && this.columns && plannedCommands.has(command))
      this.columnsByName.set(this.name, this.columns)
    this.rows = []
    this.columns = undefined
    this.goOnTo(this.executions[this.answers.length])
  }

  private goOnTo(next: Execution | undefined): void {
    this.name = next?.name
    this.text = next?.text ?? ''
    if (this.wire) this.wire.readsBytes = next?.readsBytes === true
  }

  handleReadyForQuery(): void {
    this.done(this.failure, this.answers)
  }

  handleError(error: Error): void {
    this.goOnTo(undefined)
    this.done(this.failure ?? error, [])
  }

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('A pipeline has nothing to copy')
  }

  handleCopyData(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
