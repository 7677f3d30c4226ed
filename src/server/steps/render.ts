import fastJson from 'fast-json-stringify'
import type { Caller } from '../../access/caller.ts'
import { maskOf } from '../../contract/contacts.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { envelopeOf, success } from '../../contract/envelope.ts'
import { RenderedJson } from '../../contract/rendered-json.ts'
import type { Body } from '../respond.ts'
import { onFirstUse } from './on-first-use.ts'

export type BodyRenderer = (data: unknown, caller?: Caller) => Body

/** Renders the data of an operation as the body of a success. Staff see contacts masked. */
export function bodyRenderer({ data: schema }: Endpoint): BodyRenderer {
  // A schema of fast-json-stringify lacks the symbols of TypeBox; at run time both are JSON Schema.
  const toText = onFirstUse(() => fastJson(envelopeOf(schema) as never))
  const mask = maskOf(schema)
  return (data, caller) => {
    if (mask && caller?.kind === 'staff') return toText(success(mask(parsed(data))))
    return data instanceof RenderedJson ? data : toText(success(data))
  }
}

function parsed(data: unknown): unknown {
  return data instanceof RenderedJson ? JSON.parse(data.toString()).data : data
}
