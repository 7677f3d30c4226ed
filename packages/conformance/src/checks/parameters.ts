import type { Exchange, Row } from '../caller.ts'
import { type Check, expect, expectEqual, Skipped } from '../check.ts'
import { type Kit, shortOf } from '../kit.ts'
import { callWith, isWrite, shortName, shortPath, soundInput } from '../operations.ts'
import { makeGroup, rowsOf, userByMobile } from '../subjects.ts'
import type { OperationTable, RequestField } from '../tables/field-types.ts'
import { operationTables } from '../tables/operations.ts'
import { expectFailure, faultyParameters } from './failures.ts'

/** Of every parameter: words, default, maximum; left out where it is required, and of another type. */
export function parameterChecks(): Check[] {
  return operationTables.flatMap((table) =>
    Object.entries(table.request).flatMap(([name, field]) => checksOf(table, name, field)),
  )
}

function checksOf(table: OperationTable, name: string, field: RequestField): Check[] {
  const operation = shortPath(table)
  const base = { operation, ...(isWrite(table) && { writes: true as const }) }
  const shown: Pick<Check, 'level' | 'gap'> = field.gap
    ? { level: 'matricula', gap: field.gap }
    : { level: 'interface' }
  const id = `${shortName(operation)} parameter ${name}`
  const checks: Check[] = []
  for (const value of field.values ?? [])
    checks.push({
      ...base,
      ...shown,
      id: `${id} = ${value}`,
      row: `${name}: one of ${field.values!.join(', ')}`,
      run: (kit) => takesWord(kit, table, name, value),
    })
  if (field.default !== undefined)
    checks.push({
      ...base,
      ...shown,
      id: `${id} default`,
      row: `${name}: default ${field.default}`,
      run: (kit) => hasDefault(kit, table, name, field),
    })
  if (field.maximum !== undefined)
    checks.push({
      ...base,
      ...shown,
      id: `${id} maximum`,
      row: `${name}: maximum ${field.maximum}`,
      run: (kit) => hasMaximum(kit, table, name, field.maximum!),
    })
  const decided = { ...base, level: 'matricula', gap: 'invalid-parameters' } as const
  if (field.required)
    checks.push({
      ...decided,
      id: `${id} left out`,
      row: `${name}: required`,
      run: (kit) => mustBeThere(kit, table, name),
    })
  if (!isLoose(table, name))
    checks.push({
      ...decided,
      id: `${id} type`,
      row: `${name}: ${field.type}`,
      run: (kit) => hasType(kit, table, name, field),
    })
  if (field.values)
    checks.push({
      ...decided,
      id: `${id} unknown word`,
      row: `${name}: one of ${field.values.join(', ')}`,
      run: (kit) => refusesWord(kit, table, name),
    })
  if (field.maximum !== undefined)
    checks.push({
      ...decided,
      id: `${id} above the maximum`,
      row: `${name}: maximum ${field.maximum}`,
      run: (kit) => refusesMore(kit, table, name, field.maximum!),
    })
  return checks
}

/** Query strings are texts; only other types can be wrong there. A time stamp may be a number: its table allows any. */
function isLoose(table: OperationTable, name: string): boolean {
  return (table.method === 'GET' && table.request[name]!.type === 'String') || name === 'time_stamp'
}

async function takesWord(kit: Kit, table: OperationTable, name: string, value: string): Promise<void> {
  const input = { ...(await soundInput(kit, table)), [name]: value }
  // The attribute of a group may be unchangeable for other reasons: the word is tried with a new group.
  if (shortPath(table) === 'entity/tags/group/update' && name === 'attribute') {
    const { entity_id, fields } = await makeGroup(kit)
    Object.assign(input, fields, { entity_id, attribute: value })
  }
  if (input.contact_type === 'mobile' && !kit.options.readOnly)
    input.user_id = (await userByMobile(kit)).user_id
  const exchange = await callWith(kit, table, input)
  expect(exchange.code === 0, `${name} takes ${value}: code 0`, shortOf(exchange), exchange)
}

async function hasDefault(kit: Kit, table: OperationTable, name: string, field: RequestField): Promise<void> {
  const input: Row = { corp_id: kit.corp_id }
  // The ranges of creation and of changes must select different orders.
  if (name === 'time_range_type') Object.assign(input, await tellingRange(kit, table))
  const without = await callWith(kit, table, input)
  const withIt = await callWith(kit, table, { ...input, [name]: field.default })
  expect(without.code === 0, `code 0 without ${name}`, shortOf(without), without)
  expectEqual(without.data, withIt.data, `the same data as with ${name}=${field.default}:`, without)
  if (name !== 'time_range_type') expectEqual(without.data[name], field.default, `data.${name}`, without)
  if (name === 'page_size') {
    const rows = rowsOf(without).length
    expectEqual(rows, Math.min(Number(field.default), without.data.total), 'number of rows', without)
  }
}

/** Days within which orders were created, and after which some of them changed. */
async function tellingRange(kit: Kit, table: OperationTable): Promise<Row> {
  const { corp_id } = kit
  const exchange = await kit.once(`rows of ${table.path}`, () =>
    callWith(kit, table, { corp_id, page_size: 1000 }),
  )
  const changedLater = rowsOf(exchange).find(({ ctime, mtime }) => dayOf(ctime) < dayOf(mtime))
  if (!changedLater) throw new Skipped('It needs an order that changed on a later day than it was created.')
  return { start_date: dayOf(changedLater.ctime), end_date: dayOf(changedLater.ctime), page_size: 1000 }
}

function dayOf(time: unknown): string {
  return String(time).slice(0, 10)
}

async function hasMaximum(kit: Kit, table: OperationTable, name: string, maximum: number): Promise<void> {
  const input = await soundInput(kit, table)
  const most = await callWith(kit, table, { ...input, [name]: maximum })
  expect(most.code === 0, `${name} takes ${maximum}: code 0`, shortOf(most), most)
  const more = await callWith(kit, table, { ...input, [name]: maximum + 1 })
  const isKept = more.code !== 0 || (rowsOf(more).length <= maximum && Number(more.data[name]) <= maximum)
  expect(
    isKept,
    `${name}=${maximum + 1} is refused, or is answered with at most ${maximum} rows`,
    shortOf(more),
    more,
  )
}

async function refusesMore(kit: Kit, table: OperationTable, name: string, maximum: number): Promise<void> {
  const exchange = await callWith(kit, table, { ...(await soundInput(kit, table)), [name]: maximum + 1 })
  expectFailure(exchange, 40002, [name])
}

async function mustBeThere(kit: Kit, table: OperationTable, name: string): Promise<void> {
  const { [name]: _, ...rest } = await soundInput(kit, table)
  expectFailure(await callWith(kit, table, rest), 40001, [name])
}

async function hasType(kit: Kit, table: OperationTable, name: string, { type }: RequestField): Promise<void> {
  const input = await typedInput(kit, table, name)
  const exchange = await callWith(kit, table, { ...input, [name]: wrongValues[type] ?? 7 })
  expectFailure(exchange, 40002)
  expect(faultyParameters(exchange).includes(name), `data.errors names ${name}`, shortOf(exchange), exchange)
}

/** An input in which only the one parameter is wrong, once it is replaced. */
async function typedInput(kit: Kit, table: OperationTable, name: string): Promise<Row> {
  if (shortPath(table) === 'entity/tags/group/list')
    return { corp_id: kit.corp_id, category: `${kit.prefix}category`, start_index: 0, step: 10 }
  if (shortPath(table) === 'entity/user/create' && name !== 'email')
    return { corp_id: kit.corp_id, area_code: '44', mobile: '7700900000' }
  return soundInput(kit, table)
}

/** Values that are not of the type. */
const wrongValues: Record<string, unknown> = { String: 7, Integer: 'seven', Boolean: 'perhaps', List: 'none' }

async function refusesWord(kit: Kit, table: OperationTable, name: string): Promise<void> {
  const exchange: Exchange = await callWith(kit, table, {
    ...(await soundInput(kit, table)),
    [name]: 'unheard-of',
  })
  expectFailure(exchange, 40002, [name])
}
