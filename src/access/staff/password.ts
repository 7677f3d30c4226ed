import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createFairShare, inTurn } from '../../contract/limits/fair-share.ts'
import { networkOf } from '../client-address.ts'

const derive = promisify(argon2)

/** The argon2id parameters that OWASP recommends. Each hash stores its own, so that they can change. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32

export const minPasswordLength = 10
export const maxPasswordLength = 200

/** Returns the hash in the PHC string format, which other tools read. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: bytesOf(password), nonce, tagLength, ...cost })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

const format = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** A check needs megabytes and a thread. Each client network has its own queue. */
const checks = createFairShare({ places: 3, mostWaiting: 50, longestWaitMs: 10_000 })

/** Without a hash, the check takes the same time and fails. */
export function isPassword(password: string, hash: string | null, address: string): Promise<boolean> {
  return inTurn(checks, networkOf(address), () => matches(password, hash))
}

async function matches(password: string, hash: string | null): Promise<boolean> {
  const parts = format.exec(hash ?? (await dummyHash()))
  if (!parts) throw new Error('A stored password hash is not in the PHC format')
  const [, memory, passes, parallelism, salt = '', expected = ''] = parts
  const tag = Buffer.from(expected, 'base64')
  const found = await derive('argon2id', {
    message: bytesOf(password),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: tag.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return timingSafeEqual(found, tag) && hash !== null
}

let dummy: Promise<string> | undefined

function dummyHash(): Promise<string> {
  dummy ??= hashPassword(randomBytes(16).toString('hex'))
  return dummy
}

/** Normalized, since keyboards compose characters differently. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'))
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
