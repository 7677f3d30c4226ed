import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contact, maskEmail, maskMobile, maskOf, maskText } from './contacts.ts'
import { Type } from './type.ts'

describe('a mask', () => {
  test('shows only the first and the last digits of a number', () => {
    expect(['13800135678', '1234567', '12', ''].map(maskMobile)).toEqual([
      '138••••5678',
      '••••67',
      '••••12',
      '',
    ])
    expect(['wang.fang@example.com', '李@例子.cn', ''].map(maskEmail)).toEqual([
      'w•••@example.com',
      '李•••@例子.cn',
      '',
    ])
    expect(['13800135678', '+86 138 0013 5678', 'a@b.cn', 'Harbour', '2026'].map(maskText)).toEqual([
      ...['138••••5678', '+86••••5678', 'a•••@b.cn', 'Harbour', '2026'],
    ])
  })

  test('shows the first and the last characters of an id, and nothing of a short one', () => {
    const mask = maskOf(Type.Object({ wechat_id: contact('id', Type.String()) }))!
    const masked = ['wxid_wang88', 'w88', ''].map((wechat_id) => mask({ wechat_id }))
    expect(masked).toEqual([{ wechat_id: 'w•••8' }, { wechat_id: '•••' }, { wechat_id: '' }])
    const members = maskOf(contact('members', Type.Object({})))!
    expect(members({ after: { wechat_id: 'wxid_wang88' } })).toEqual({ after: { wechat_id: 'w•••8' } })
  })

  test('hides the middle of every number', () => {
    const digits = fc.stringMatching(/^[0-9]{8,15}$/)
    fc.assert(
      fc.property(digits, (number) => {
        const masked = maskMobile(number) as string
        expect(masked).toBe(`${number.slice(0, 3)}••••${number.slice(-4)}`)
        expect(masked.replaceAll('•', '')).toHaveLength(7)
      }),
    )
  })

  test('hides every contact in a text that has several', () => {
    expect(maskText('a@b.cn 13800135678, +86 139 0013 9999; wang@example.com')).toBe(
      'a•••@b.cn 138••••9999; w•••@example.com',
    )
    expect(maskText('a @ b')).toBe('a•••@ b')
  })

  test('finds marked members in lists, records and histories, and does not change the original response', () => {
    const row = Type.Object({ name: Type.String(), mobile: contact('mobile', Type.String()) })
    const history = contact('members', Type.Record(Type.String(), Type.Unknown()))
    const mask = maskOf(Type.Object({ list: Type.Array(row), before: history, total: Type.Integer() }))!
    const answer = {
      list: [{ name: 'A', mobile: '13800135678' }],
      before: { user_copy: { email: 'a@b.cn', name: 'A' }, mobile: null },
      total: 1,
    }
    expect(mask(answer)).toEqual({
      list: [{ name: 'A', mobile: '138••••5678' }],
      before: { user_copy: { email: 'a•••@b.cn', name: 'A' }, mobile: null },
      total: 1,
    })
    expect(answer.list[0]!.mobile).toBe('13800135678')
  })

  test('is none where nothing is marked', () => {
    expect(maskOf(Type.Object({ mobile: Type.String(), list: Type.Array(Type.String()) }))).toBeUndefined()
  })
})
