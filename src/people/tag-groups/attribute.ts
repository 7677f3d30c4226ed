import { oneOf } from '../../contract/fields.ts'

/** The kind of value of the tags of a group: true or false, a number, or text. */
export const attributes = ['define', 'number', 'string'] as const
export type Attribute = (typeof attributes)[number]

export const AttributeField = oneOf(attributes, 'Kind of value: define (true or false), number or string')
