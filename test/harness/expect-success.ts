import { expect } from 'vitest'
import type { Answer } from './server.ts'

/** The data of a successful answer. */
export async function ok(answer: Promise<Answer>): Promise<Answer['data']> {
  const { code, msg, data } = await answer
  expect({ code, msg }).toEqual({ code: 0, msg: 'success' })
  return data
}
