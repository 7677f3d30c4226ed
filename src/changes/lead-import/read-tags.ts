import { readTagValue } from '../../people/user-tags/tag-value.ts'
import type { KnownValues } from './known-values.ts'
import { readYesOrNo } from './lead-columns.ts'
import type { ValueReader } from './value-mapping.ts'

/** A tag of a row, with its value as the group stores it. */
export interface RowTag {
  tags_group_id: string
  define_value: boolean | null
  number_value: number | null
  string_value: string | null
}

/** "Level = B2" is the tag group Level and its value B2; "VIP" alone is VIP = yes. */
export function partsOfTag(text: string): { name: string; value: string | undefined } {
  const [, name = text, value] = /^([^=＝:：]+)[=＝:：](.*)$/s.exec(text) ?? []
  return { name: name.trim(), value: value?.trim() }
}

export function readTags(
  texts: string[],
  meaningOf: ValueReader,
  { groups }: Pick<KnownValues, 'groups'>,
): { list: RowTag[] } | { reason: string } {
  const list = new Map<string, RowTag>()
  for (const text of texts) {
    const { name, value } = partsOfTag(text)
    if (name === '') continue
    const read = meaningOf('tags', name)
    if ('reason' in read) return read
    if (read.meaning === '') continue
    const group = groups.find(({ entity_id }) => entity_id === read.meaning)
    if (!group) return { reason: `has the tag ${name}, but there is no such tag group` }
    const written = value ?? 'true'
    const answer = readYesOrNo(written)
    const { define } = readTagValue(answer === undefined ? written : String(answer))
    const tag = {
      tags_group_id: group.entity_id,
      define_value: group.attribute === 'define' ? define : null,
      number_value: group.attribute === 'number' ? readTagValue(written).number : null,
      string_value: group.attribute === 'string' ? (value ?? null) : null,
    }
    if (tag.define_value === null && tag.number_value === null && !tag.string_value)
      return {
        reason: `has no fitting value for the tag ${name}: write ${name} = ${exampleOf[group.attribute]}`,
      }
    list.set(group.entity_id, tag)
  }
  return { list: [...list.values()] }
}

const exampleOf = { define: 'yes', number: '10', string: '…' }
