import type pg from 'pg'
import type { Connection } from './private-parts.ts'

/** One statement of a pipeline. A named one is parsed once per connection. */
export interface Execution {
  text: string
  name?: string
  values: unknown[]
  /** A setting, whose rows are discarded. */
  isSetting?: boolean
  /** Whether the text of rows is read as one character per byte. */
  readsBytes?: boolean
}

/** The result of one execution. */
export interface Answer {
  command: string
  rowCount: number
  rows: object[]
}

export type PipelineDone = (error: Error | undefined, answers: Answer[]) => void

interface Columns {
  names: string[]
  readers: ((text: string) => unknown)[]
  /** A row with all members: every row then has the same hidden class. */
  empty: Record<string, unknown>
}

/**
 * Columns are cached for named statements with these commands: PostgreSQL refuses such a statement once its columns change.
 * Other commands, such as a fetch from a cursor, may return other columns each time.
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
 * Sends several executions before one Sync, as one query object of pg; pg calls the `handle…` methods. pg's own query
 * object describes the columns every time, which takes 25 % more time.
 */
export class PipelineQuery {
  /** When a statement is parsed, pg stores the current `name` and `text` in `parsedStatements`. */
  name: string | undefined
  text = ''
  private readonly executions: Execution[]
  private readonly client: pg.PoolClient
  private readonly done: PipelineDone
  private readonly answers: Answer[] = []
  private readonly columnsByName: Map<string, Columns>
  /** Undefined until sent. A query may fail before that. */
  private connection: Connection | undefined
  private columns: Columns | undefined
  private rows: object[] = []
  private failure: Error | undefined

  constructor(executions: Execution[], client: pg.PoolClient, done: PipelineDone) {
    this.executions = executions
    this.client = client
    this.done = done
    this.columnsByName = columnsOf(client)
  }

  submit(connection: Connection): void {
    this.connection = connection
    this.moveTo(this.executions[0])
    const parsed = new Set<string>()
    // One write for all messages.
    connection.stream.cork()
    for (const { name = '', text, values, isSetting } of this.executions) {
      if (name === '' || (connection.parsedStatements[name] === undefined && !parsed.has(name)))
        connection.parse({ name, text, types: [] })
      parsed.add(name)
      connection.bind({ portal: '', statement: name, values })
      if (!isSetting && !this.columnsByName.has(name)) connection.describe({ type: 'P', name: '' })
      connection.execute({ portal: '', rows: 0 })
    }
    connection.sync()
    connection.stream.uncork()
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
    this.moveTo(this.executions[this.answers.length])
  }

  private moveTo(next: Execution | undefined): void {
    this.name = next?.name
    this.text = next?.text ?? ''
    if (this.connection) this.connection.readsBytes = next?.readsBytes === true
  }

  handleReadyForQuery(): void {
    this.done(this.failure, this.answers)
  }

  handleError(error: Error): void {
    this.moveTo(undefined)
    this.done(this.failure ?? error, [])
  }

  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFail('A pipeline cannot copy')
  }

  handleCopyData(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
