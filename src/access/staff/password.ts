import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createFairShare, inTurn } from '../../contract/limits/fair-share.ts'
import { networkOf } from '../client-address.ts'

const derive = promisify(argon2)

/** As OWASP recommends argon2id where a server checks few passwords at a time; kept with each hash, so it can change. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32

export const shortestPassword = 10
export const longestPassword = 200

/** In the PHC string format, as other tools write and read it. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: bytesOf(password), nonce, tagLength, ...cost })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

const format = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** A check takes megabytes and a thread; whoever sends many, from one address, waits for them in a line of their own. */
const checks = createFairShare({ places: 3, mostWaiting: 50, longestWaitMs: 10_000 })

/** Where there is no hash, the answer takes as long as where there is one. */
export function isPassword(password: string, hash: string | null, address: string): Promise<boolean> {
  return inTurn(checks, networkOf(address), () => matches(password, hash))
}

async function matches(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt, expected] = format.exec(hash ?? (await nobodysHash()))!
  const tag = Buffer.from(expected!, 'base64')
  const found = await derive('argon2id', {
    message: bytesOf(password),
    nonce: Buffer.from(salt!, 'base64'),
    tagLength: tag.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return timingSafeEqual(found, tag) && hash !== null
}

let ofNobody: Promise<string> | undefined

function nobodysHash(): Promise<string> {
  ofNobody ??= hashPassword(randomBytes(16).toString('hex'))
  return ofNobody
}

/** The same password however a keyboard composes its characters. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'))
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
