import { type Check, expect, expectEqual } from '../check.ts'
import { shortOf } from '../kit.ts'
import { observed, tableOf } from '../operations.ts'
import { idOf, lead, makeUser, user, userByMobile } from '../subjects.ts'
import { expectFailure } from './failures.ts'

const writes = true as const

/** Users and leads: responses and effects of calls. */
export function peopleChecks(): Check[] {
  return [
    {
      ...{ id: 'user/create by e-mail', level: 'interface', operation: 'entity/user/create', writes },
      row: 'is_user_exists: true when the user was registered before this call',
      async run(kit) {
        const { user_id, email, exchange } = await user(kit)
        expectEqual(exchange.data.is_user_exists, false, 'is_user_exists of a new user:', exchange)
        const again = await kit.take('POST', 'entity/user/create', { email })
        expectEqual(again.data, { user_id, is_user_exists: true }, 'data of a known user:', again)
      },
    },
    {
      ...{ id: 'user/create by mobile', level: 'interface', operation: 'entity/user/create', writes },
      row: 'By mobile: area_code without a leading plus sign, mobile',
      async run(kit) {
        const { user_id, area_code, mobile } = await userByMobile(kit)
        const again = await kit.take('POST', 'entity/user/create', { area_code, mobile })
        expectEqual(again.data, { user_id, is_user_exists: true }, 'data of a known user:', again)
      },
    },
    {
      ...{
        id: 'user/create one shape',
        level: 'matricula',
        gap: 'invalid-parameters',
        operation: 'entity/user/create',
        writes,
      },
      row: 'One path with two request shapes: exactly one of them',
      async run(kit) {
        expectFailure(await kit.call('POST', 'entity/user/create', {}), 40001, [
          'area_code',
          'mobile',
          'email',
        ])
        const both = { area_code: '44', mobile: '7700900000', email: 'a@example.com' }
        expectFailure(await kit.call('POST', 'entity/user/create', both), 40002, ['email'])
      },
    },
    {
      ...{
        id: 'profile/fetch shows the user',
        level: 'interface',
        operation: 'entity/profile/fetch',
        writes,
      },
      row: 'user_id, corp_id, area_code, mobile of the user',
      async run(kit) {
        const { user_id, area_code, mobile } = await userByMobile(kit)
        const exchange = await kit.take('GET', 'entity/profile/fetch', { user_id })
        const { data } = exchange
        const found = {
          user_id: data.user_id,
          corp_id: data.corp_id,
          area_code: data.area_code,
          mobile: data.mobile,
        }
        expectEqual(found, { user_id, corp_id: kit.corp_id, area_code, mobile }, 'the profile has', exchange)
      },
    },
    {
      ...{
        id: 'user/owner/update adds and removes',
        level: 'interface',
        operation: 'entity/user/owner/update',
        writes,
      },
      row: 'owner_id: list of owner IDs now associated with the user',
      async run(kit) {
        const { user_id } = await makeUser(kit)
        const [one, other] = [`${kit.prefix}one`, `${kit.prefix}other`]
        for (const [event_type, owner_id, wanted] of [
          ['add', one, [one]],
          ['add', other, [one, other]],
          ['add', one, [one, other]],
          ['remove', one, [other]],
          ['remove', one, [other]],
        ] as const) {
          const exchange = await kit.take('POST', 'entity/user/owner/update', {
            user_id,
            owner_id,
            event_type,
          })
          expectEqual(exchange.data.user_id, user_id, 'user_id', exchange)
          expectEqual(
            exchange.data.owner_id?.toSorted?.(),
            [...wanted].sort(),
            `owner_id after ${event_type}:`,
            exchange,
          )
        }
      },
    },
    {
      ...{
        id: 'user/pool/update takes the pools',
        level: 'interface',
        operation: 'entity/user/pool/update',
        writes,
      },
      row: 'pool: example values are alive, dead, public',
      async run(kit) {
        const { user_id } = await makeUser(kit)
        for (const pool of ['alive', 'dead', 'public']) {
          const exchange = await kit.take('POST', 'entity/user/pool/update', { user_id, pool })
          expectEqual(exchange.data.user_id, user_id, 'user_id', exchange)
        }
      },
    },
    {
      ...{
        id: 'user/pool/update unknown pool',
        level: 'matricula',
        gap: 'pools',
        operation: 'entity/user/pool/update',
        writes,
      },
      row: 'pool: a pool of the organization; 40002 for another one',
      async run(kit) {
        const { user_id } = await user(kit)
        expectFailure(
          await kit.call('POST', 'entity/user/pool/update', { user_id, pool: kit.unique() }),
          40002,
          ['pool'],
        )
      },
    },
    {
      ...{
        id: 'user/email/update changes the address',
        level: 'interface',
        operation: 'entity/user/email/update',
        writes,
      },
      row: 'email: the address of the user from now on',
      async run(kit) {
        const { user_id } = await makeUser(kit)
        const email = `${kit.unique()}@example.com`
        const exchange = await kit.take('POST', 'entity/user/email/update', { user_id, email })
        expectEqual(exchange.data.user_id, user_id, 'user_id', exchange)
        const contact = await kit.take('GET', 'entity/user/contact/fetch', { user_id, contact_type: 'email' })
        expectEqual(contact.data.value, [email], 'value', contact)
      },
    },
    {
      ...{
        id: 'user/email/update taken address',
        level: 'matricula',
        gap: 'failures',
        operation: 'entity/user/email/update',
        writes,
      },
      row: '40901: an e-mail address belongs to one user',
      async run(kit) {
        const { email } = await user(kit)
        const { user_id } = await makeUser(kit)
        expectFailure(await kit.call('POST', 'entity/user/email/update', { user_id, email }), 40901, [
          'email',
        ])
      },
    },
    {
      ...{
        id: 'user/contact/fetch mobile',
        level: 'interface',
        operation: 'entity/user/contact/fetch',
        writes,
      },
      row: 'For contact_type mobile the list holds the area code and then the number, in that order',
      async run(kit) {
        const { user_id, area_code, mobile } = await userByMobile(kit)
        const exchange = await kit.take('GET', 'entity/user/contact/fetch', {
          user_id,
          contact_type: 'mobile',
        })
        expectEqual(
          exchange.data,
          { user_id, corp_id: kit.corp_id, contact_type: 'mobile', value: [area_code, mobile] },
          'data',
          exchange,
        )
      },
    },
    {
      ...{
        id: 'user/contact/fetch no contact',
        level: 'matricula',
        gap: 'failures',
        operation: 'entity/user/contact/fetch',
        writes,
      },
      row: 'An empty list for a contact that the user does not have',
      async run(kit) {
        const { user_id } = await user(kit)
        const exchange = await kit.take('GET', 'entity/user/contact/fetch', {
          user_id,
          contact_type: 'mobile_backup',
        })
        expectEqual(exchange.data.value, [], 'value', exchange)
      },
    },
    {
      ...{ id: 'leads/import all fields', level: 'interface', operation: 'entity/leads/import', writes },
      row: 'Every optional field of the table',
      async run(kit) {
        const { exchange } = await lead(kit)
        expect(exchange.code === 0, 'code 0', shortOf(exchange), exchange)
      },
    },
    {
      ...{ id: 'leads/import by mobile', level: 'interface', operation: 'entity/leads/import', writes },
      row: 'user_id: required unless area_code and mobile are both given',
      async run(kit) {
        const { area_code, mobile } = await userByMobile(kit)
        const exchange = await kit.take('POST', 'entity/leads/import', {
          area_code,
          mobile,
          is_corporate_training: false,
        })
        kit.made.push({ kind: 'lead', id: idOf(exchange, 'lead_id') })
      },
    },
    {
      ...{
        id: 'leads/import without a person',
        level: 'matricula',
        gap: 'invalid-parameters',
        operation: 'entity/leads/import',
        writes,
      },
      row: 'user_id, or area_code and mobile, are required',
      async run(kit) {
        const exchange = await kit.call('POST', 'entity/leads/import', { name: kit.unique() })
        expectFailure(exchange, 40001)
      },
    },
    {
      ...{
        id: 'leads/import stores every field',
        level: 'matricula',
        gap: 'stored-leads',
        operation: 'entity/leads/import',
        writes,
      },
      row: 'leads/fetch shows every field as it was imported',
      async run(kit) {
        const { input, exchange } = await lead(kit)
        const ignored = exchange.headers.get('x-ignored-parameters')
        expectEqual(ignored, null, 'X-Ignored-Parameters', exchange)
        const { owner_ids, ...fields } = input
        const stored = await kit.take('GET', 'entity/leads/fetch', { lead_id: idOf(exchange, 'lead_id') })
        for (const [name, value] of Object.entries(fields))
          expectEqual(stored.data[name], value, name, stored)
        expect(
          Array.isArray(owner_ids) && stored.data.owner_ids.includes(owner_ids[0]),
          'owner_ids has the owner',
          stored.data.owner_ids,
          stored,
        )
      },
    },
    {
      ...{
        id: 'profile/fetch name of the lead',
        level: 'matricula',
        gap: 'stored-leads',
        operation: 'entity/profile/fetch',
        writes,
      },
      row: 'A lead fills blanks of its user',
      async run(kit) {
        const { input } = await lead(kit)
        const { user_id } = await user(kit)
        const exchange = await kit.take('GET', 'entity/profile/fetch', { user_id })
        expectEqual(
          [exchange.data.company_name, exchange.data.city],
          [input.company_name, input.city],
          'company_name and city',
          exchange,
        )
      },
    },
    {
      id: 'user/contact/fetch observed value',
      level: 'interface',
      operation: 'entity/user/contact/fetch',
      row: 'contact_type: the type that the call names; value: List of String',
      async run(kit) {
        const exchange = await observed(kit, tableOf('entity/user/contact/fetch'))
        expectEqual(exchange.data?.contact_type, 'email', 'contact_type', exchange)
        const isTexts =
          Array.isArray(exchange.data.value) &&
          exchange.data.value.every((item: unknown) => typeof item === 'string')
        expect(isTexts, 'value: List of String', exchange.data.value, exchange)
      },
    },
  ]
}
