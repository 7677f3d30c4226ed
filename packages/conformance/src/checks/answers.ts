import type { Exchange, Row } from '../caller.ts'
import { type Check, expect, expectEqual, Mismatch, Skipped } from '../check.ts'
import { type Kit, shortOf } from '../kit.ts'
import { isWrite, observed, shortName, shortPath } from '../operations.ts'
import { rowsOf } from '../subjects.ts'
import type { Fields, FieldType, OperationTable } from '../tables/field-types.ts'
import { operationTables } from '../tables/operations.ts'
import { isOfType } from '../types.ts'

/** Of every operation: the envelope, and each member of the data and of its rows. */
export function answerChecks(): Check[] {
  return operationTables.flatMap((table) => [
    envelopeCheck(table),
    statusCheck(table),
    ...dataChecks(table),
    ...(table.rows ? memberChecks(table, 'row', table.rows.fields) : []),
    additionalMembersCheck(table),
  ])
}

type Frame = Pick<Check, 'level' | 'operation' | 'writes'>

function frameOf(table: OperationTable): Frame {
  return { level: 'interface', operation: shortPath(table), ...(isWrite(table) && { writes: true }) }
}

function envelopeCheck(table: OperationTable): Check {
  return {
    ...frameOf(table),
    id: `${shortName(shortPath(table))} envelope`,
    row: 'Response envelope: code Integer, 0 on success; msg String, a short text; data',
    async run(kit) {
      const exchange = await observed(kit, table)
      const { body, code, msg } = exchange
      const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
      expect(isObject, 'a JSON object', shortOf(exchange), exchange)
      expect(code === 0, 'code 0', shortOf(exchange), exchange)
      expect(typeof msg === 'string' && msg !== '', 'msg: a short text', msg, exchange)
      expect('data' in body, 'data', Object.keys(body), exchange)
    },
  }
}

function statusCheck(table: OperationTable): Check {
  return {
    ...frameOf(table),
    ...{ id: `${shortName(shortPath(table))} status`, level: 'matricula', gap: 'failures' },
    row: 'HTTP status 200 for every success',
    async run(kit) {
      const exchange = await observed(kit, table)
      expectEqual(exchange.status, 200, 'HTTP status', exchange)
    },
  }
}

function dataChecks(table: OperationTable): Check[] {
  if (table.data !== 'String') return memberChecks(table, 'data', table.data)
  const check: Check = {
    ...frameOf(table),
    id: `${shortName(shortPath(table))} data`,
    row: 'Response data: String, an ID',
    async run(kit) {
      const exchange = await observed(kit, table)
      expect(
        typeof exchange.data === 'string' && exchange.data !== '',
        'data: String',
        exchange.data,
        exchange,
      )
    },
  }
  return [check]
}

function memberChecks(table: OperationTable, place: 'data' | 'row', fields: Fields): Check[] {
  return Object.entries(fields).flatMap(([name, type]) => {
    const also = table.alsoDeclared?.[name] ?? []
    const id = `${shortName(shortPath(table))} ${place} ${name}`
    const check = (types: FieldType[]): Check => ({
      ...frameOf(table),
      id,
      row: `${place === 'row' ? 'Row' : 'Response data'}: ${name}, ${types.map(typeInWords).join(' or ')}`,
      async run(kit) {
        const exchange = await observed(kit, table)
        for (const record of await recordsIn(exchange, table, place))
          expectMember(record, name, types, exchange)
      },
    })
    if (also.length === 0) return [check([type])]
    const decided: Check = {
      ...check([type]),
      id: `${id} as decided`,
      level: 'matricula',
      gap: 'types-declared-twice',
    }
    return [check([type, ...also]), decided]
  })
}

function typeInWords(type: FieldType): string {
  return type.replace('?', ' or null')
}

async function recordsIn(exchange: Exchange, table: OperationTable, place: 'data' | 'row'): Promise<Row[]> {
  if (place === 'data') {
    const { data } = exchange
    const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
    expect(isObject, 'data: an object', shortOf(exchange), exchange)
    return [data]
  }
  const rows = rowsOf(exchange, table.rows!.member)
  if (rows.length === 0) throw new Skipped('The list has no rows here.')
  return rows
}

function expectMember(record: Row, name: string, types: FieldType[], exchange: Exchange): void {
  const wanted = `${name}: ${types.map(typeInWords).join(' or ')}`
  if (!Object.hasOwn(record, name)) throw new Mismatch(wanted, 'no such member', exchange)
  expect(
    types.some((type) => isOfType(record[name], type)),
    wanted,
    record[name],
    exchange,
  )
}

/** Additional members are allowed: clients must ignore what they do not know. They are shown as warnings. */
function additionalMembersCheck(table: OperationTable): Check {
  return {
    ...frameOf(table),
    id: `${shortName(shortPath(table))} additional members`,
    row: 'The response has the members of the table; others are a warning',
    async run(kit) {
      const exchange = await observed(kit, table)
      warn(kit, table, 'the envelope', [exchange.body as Row], {
        code: 'Integer',
        msg: 'String',
        data: 'Dict',
      })
      if (table.data === 'String') return
      const own = table.rows ? {} : table.additions
      warn(kit, table, 'data', [exchange.data ?? {}], { ...table.data, ...own })
      if (table.rows)
        warn(kit, table, 'a row', rowsOf(exchange, table.rows.member), {
          ...table.rows.fields,
          ...table.additions,
        })
    },
  }
}

function warn(kit: Kit, table: OperationTable, place: string, records: Row[], known: Fields): void {
  const additional = new Set(
    records.flatMap((record) => Object.keys(record).filter((name) => !(name in known))),
  )
  if (additional.size > 0)
    kit.warnings.add(
      `${table.path}: ${place} has additional members: ${[...additional].slice(0, 20).join(', ')}`,
    )
}
