import type { Exchange, Row } from '../caller.ts'
import { type Check, expect, expectEqual, Skipped } from '../check.ts'
import { type Kit, shortOf } from '../kit.ts'
import { observed, switchedGroup, tableOf } from '../operations.ts'
import { categoryOf, groups, makeGroup, rowsOf, tags } from '../subjects.ts'
import { expectFailure } from './failures.ts'

const list = 'entity/tags/group/list'
const writes = true as const

/** Tag groups and the tags of users: effects of calls, and paging of lists. */
export function tagChecks(): Check[] {
  return [
    {
      ...{
        id: 'tags/group/create answers what it stores',
        level: 'interface',
        operation: 'entity/tags/group/create',
        writes,
      },
      row: 'Response data: tags_group_id, corp_id, name',
      async run(kit) {
        const { fields, exchange, entity_id } = (await groups(kit))[0]!
        expectEqual(
          [exchange.data.corp_id, exchange.data.name],
          [kit.corp_id, fields.name],
          'corp_id and name',
          exchange,
        )
        const { row, exchange: listed } = await groupRow(kit, entity_id)
        for (const [name, value] of Object.entries(fields)) expectEqual(row[name], value, name, listed)
        expectEqual(
          [row.corp_id, row.is_active, row.is_deleted],
          [kit.corp_id, true, false],
          'corp_id, is_active, is_deleted',
          listed,
        )
      },
    },
    {
      ...{ id: 'tags/group/list total', level: 'interface', operation: list, writes },
      row: 'total (Integer) and rows: total counts all rows of the category',
      async run(kit) {
        const all = await allGroups(kit)
        expectEqual(all.data.total, rowsOf(all, 'rows').length, 'total', all)
        const few = await groupPage(kit, 0, 1)
        expectEqual(few.data.total, all.data.total, 'total of a page of one row', few)
      },
    },
    {
      ...{ id: 'tags/group/list start_index and step', level: 'interface', operation: list, writes },
      row: 'start_index: page start index; step: number of rows',
      async run(kit) {
        const wanted = idsOf(await allGroups(kit))
        for (const [start, step] of [
          [0, 2],
          [1, 1],
          [1, 2],
          [2, 5],
        ] as const) {
          const page = await groupPage(kit, start, step)
          expectEqual(
            idsOf(page),
            wanted.slice(start, start + step),
            `rows from ${start}, at most ${step}:`,
            page,
          )
        }
      },
    },
    {
      ...{ id: 'tags/group/list category', level: 'interface', operation: list, writes },
      row: 'category: the category of the groups',
      async run(kit) {
        const all = await allGroups(kit)
        for (const row of rowsOf(all, 'rows')) expectEqual(row.category, categoryOf(kit), 'category', all)
        const other = await kit.get(list, { category: `${kit.prefix}empty`, start_index: 0, step: 10 })
        expectEqual(other.data, { total: 0, rows: [] }, 'data of a category without groups', other)
      },
    },
    {
      ...{ id: 'tags/group/list order', level: 'matricula', gap: 'order-of-lists', operation: list, writes },
      row: 'Oldest first',
      async run(kit) {
        const made = (await groups(kit)).map(({ entity_id }) => entity_id)
        const all = await kit.once('groups in order', () => groupPage(kit, 0, 1000))
        expectEqual(
          idsOf(all).filter((id) => made.includes(String(id))),
          made,
          'groups in the order of their creation:',
          all,
        )
      },
    },
    {
      ...{
        id: 'tags/group/list ctime is now',
        level: 'matricula',
        gap: 'zone-of-timestamps',
        operation: list,
        writes,
      },
      row: 'ctime: creation time, in the time zone of the organization',
      async run(kit) {
        const { entity_id } = (await groups(kit))[0]!
        const { row, exchange } = await groupRow(kit, entity_id)
        await expectNow(kit, row.ctime, exchange)
      },
    },
    {
      ...{
        id: 'tags/group/update changes the group',
        level: 'interface',
        operation: 'entity/tags/group/update',
        writes,
      },
      row: 'Response data: String, the ID of the updated tag group',
      async run(kit) {
        const { entity_id, fields } = await makeGroup(kit)
        const before = (await groupRow(kit, entity_id)).row
        const changed = { ...fields, name: kit.unique(), description: kit.unique() }
        const exchange = await kit.take('POST', 'entity/tags/group/update', { entity_id, ...changed })
        expectEqual(exchange.data, entity_id, 'data', exchange)
        const { row, exchange: listed } = await groupRow(kit, entity_id)
        for (const [name, value] of Object.entries(changed)) expectEqual(row[name], value, name, listed)
        expect(
          Number(row.version) > Number(before.version),
          `version above ${before.version}`,
          row.version,
          listed,
        )
      },
    },
    ...(['deactivate', 'activate'] as const).map((move): Check => {
      const operation = `entity/tags/group/${move}`
      const wanted = move === 'activate'
      return {
        ...{ id: `tags/group/${move} moves is_active`, level: 'interface', operation, writes },
        row: `Tag group activity: ${move} makes is_active ${wanted}; data is the ID of the group`,
        async run(kit) {
          const { entity_id } = await switchedGroup(kit)
          const other = wanted ? 'deactivate' : 'activate'
          await kit.call('POST', `entity/tags/group/${other}`, { entity_id })
          for (const time of ['', ' again']) {
            const exchange = await kit.take('POST', operation, { entity_id })
            expectEqual(exchange.data, entity_id, 'data', exchange)
            const { row, exchange: listed } = await groupRow(kit, entity_id)
            expectEqual(String(row.is_active), String(wanted), `is_active after ${move}${time}`, listed)
          }
          await kit.call('POST', 'entity/tags/group/activate', { entity_id })
        },
      }
    }),
    {
      ...{
        id: 'tags/group/create taken variable_name',
        level: 'matricula',
        gap: 'failures',
        operation: 'entity/tags/group/create',
        writes,
      },
      row: '40901: variable_name belongs to one group',
      async run(kit) {
        const { fields } = (await groups(kit))[0]!
        expectFailure(await kit.call('POST', 'entity/tags/group/create', fields), 40901, ['variable_name'])
      },
    },
    {
      ...{
        id: 'user/tags/assign stores the tag',
        level: 'interface',
        operation: 'entity/user/tags/assign',
        writes,
      },
      row: 'Response data: String, the ID of the assigned tag',
      async run(kit) {
        const { user_id, ids, exchanges } = await tags(kit)
        const listed = await observed(kit, tableOf('entity/user/tags/list'))
        const rows = rowsOf(listed, 'rows')
        for (const [index, group] of (await groups(kit)).entries()) {
          expectEqual(exchanges[index]!.data, ids[index], 'data: String', exchanges[index])
          const row = rows.find(({ entity_id }) => entity_id === ids[index])
          expect(row !== undefined, `a row with entity_id ${ids[index]}`, shortOf(listed), listed)
          const { corp_id, user_id: of, tags_group_id, attribute } = row
          expectEqual(
            { corp_id, user_id: of, tags_group_id, attribute },
            {
              corp_id: kit.corp_id,
              user_id,
              tags_group_id: group.entity_id,
              attribute: group.fields.attribute,
            },
            'the row has',
            listed,
          )
        }
        const define = rows.find(({ attribute }) => attribute === 'define')
        expectEqual(define?.define_value, true, 'define_value', listed)
      },
    },
    {
      ...{ id: 'user/tags/list total', level: 'interface', operation: 'entity/user/tags/list', writes },
      row: 'total (Integer) and rows',
      async run(kit) {
        await tags(kit)
        const listed = await observed(kit, tableOf('entity/user/tags/list'))
        expectEqual(
          [listed.data.total, rowsOf(listed, 'rows').length],
          [3, 3],
          'total and number of rows',
          listed,
        )
      },
    },
    {
      ...{
        id: 'user/tags/list values',
        level: 'matricula',
        gap: 'tag-values',
        operation: 'entity/user/tags/list',
        writes,
      },
      row: 'number_value and string_value: the value of a tag whose attribute is number or string; null in the others',
      async run(kit) {
        await tags(kit)
        const listed = await observed(kit, tableOf('entity/user/tags/list'))
        const values = rowsOf(listed, 'rows').map(
          ({ attribute, define_value, number_value, string_value }) => [
            attribute,
            define_value,
            number_value,
            string_value,
          ],
        )
        expectEqual(
          values,
          [
            ['define', true, null, null],
            ['number', null, 12.5, null],
            ['string', null, null, 'several words'],
          ],
          'values, oldest tag first:',
          listed,
        )
      },
    },
    {
      ...{
        id: 'user/tags/assign value fits the attribute',
        level: 'matricula',
        gap: 'tag-values',
        operation: 'entity/user/tags/assign',
        writes,
      },
      row: 'value: true or false for define, a number for number',
      async run(kit) {
        const { user_id } = await tags(kit)
        const [define, number] = await groups(kit)
        for (const group of [define!, number!])
          expectFailure(
            await kit.call('POST', 'entity/user/tags/assign', {
              tags_group_id: group.entity_id,
              user_id,
              value: 'neither',
            }),
            40002,
            ['value'],
          )
      },
    },
  ]
}

function groupPage(kit: Kit, start_index: number, step: number): Promise<Exchange> {
  return kit.take('GET', list, { category: categoryOf(kit), start_index, step })
}

async function allGroups(kit: Kit): Promise<Exchange> {
  await groups(kit)
  return groupPage(kit, 0, 1000)
}

function idsOf(exchange: Exchange): unknown[] {
  return rowsOf(exchange, 'rows').map(({ entity_id }) => entity_id)
}

async function groupRow(kit: Kit, id: string): Promise<{ row: Row; exchange: Exchange }> {
  const exchange = await groupPage(kit, 0, 1000)
  const row = rowsOf(exchange, 'rows').find(({ entity_id }) => entity_id === id)
  expect(row !== undefined, `a row with entity_id ${id}`, shortOf(exchange), exchange)
  return { row, exchange }
}

/** A time of the organization that is at most two minutes from now. */
async function expectNow(kit: Kit, time: unknown, exchange: Exchange): Promise<void> {
  const organization = await kit.once('organization', () => kit.get('entity/organization/fetch'))
  const zone = organization.data?.time_zone
  if (typeof zone !== 'string') throw new Skipped('entity/organization/fetch does not tell the time zone.')
  const wanted = new Date().toLocaleString('sv-SE', { timeZone: zone })
  const offSeconds = Math.abs(Date.parse(`${time}Z`) - Date.parse(`${wanted}Z`)) / 1000
  expect(offSeconds <= 120, `ctime: about ${wanted} in ${zone}`, time, exchange)
}
