import type { Contestants } from './contestants/start.ts'
import { type Caller, headersOf, type LoadRequest } from './load.ts'
import { textOf } from './measure.ts'
import { tell } from './report.ts'

/** Both servers must return the same bytes, otherwise their speed cannot be compared. */
export async function checkSameAnswers(
  { ours, plain }: Contestants,
  caller: Caller,
  paths: string[],
): Promise<void> {
  for (const path of paths) {
    const [mine, theirs] = [await textOf(ours.url, caller, path), await textOf(plain.url, caller, path)]
    if (mine !== theirs) throw new Error(`The answers differ: ${path}\n${firstDifference(mine, theirs)}`)
  }
  tell(`${paths.length} answers compared: the same to the byte`)
}

/** Writes return new ids, so only the shape of their responses must agree. */
export async function checkSameShape(
  { ours, plain }: Contestants,
  caller: Caller,
  requestOf: (contestant: 'ours' | 'plain') => LoadRequest,
): Promise<void> {
  const shapes: string[] = []
  for (const [name, url] of [['ours', ours.url] as const, ['plain', plain.url] as const]) {
    const { method, path, body = '' } = requestOf(name)
    const response = await fetch(`${url}${path}`, {
      method,
      headers: headersOf(caller),
      body: body.replaceAll('{n}', '0000000001'),
    })
    shapes.push(shapeOf(await response.text()))
  }
  if (shapes[0] !== shapes[1] || !shapes[0]!.startsWith('{"code":0'))
    throw new Error(`The answers differ: ${requestOf('ours').path}\n${shapes.join('\n')}`)
}

function shapeOf(text: string): string {
  return text.replaceAll(/"[0-9a-f]{32}"/g, '"id"').replaceAll(/"order_version":\d+/g, '"order_version":0')
}

export function firstDifference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 80)
  return `at ${at}:\n  ${around(one)}\n  ${around(other)}`
}
