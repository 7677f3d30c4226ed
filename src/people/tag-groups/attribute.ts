import { oneOf } from '../../contract/fields.ts'

/** What kind of value the tags of a group hold: yes or no, a number, or free text. */
export const attributes = ['define', 'number', 'string'] as const
export type Attribute = (typeof attributes)[number]

export const AttributeField = oneOf(attributes, 'Kind of value: define (true or false), number or string')
