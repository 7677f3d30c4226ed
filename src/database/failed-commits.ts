import type pg from 'pg'
import { isFailedCommit } from './availability.ts'

/**
 * A cluster commits in two steps. Where a node is lost between them, the coordinator only warns, and answers that the
 * transaction is committed. So it will be once the node is back and the coordinator has looked after it, up to a minute
 * later; until then nobody sees it, and what it holds is locked. Whoever was told that it is done would find it missing:
 * it is told as a commit whose outcome is unknown.
 */
const failedCommits = new WeakMap<pg.ClientBase, Error>()

export function noteFailedCommits(client: pg.ClientBase): void {
  client.on('notice', ({ message = '' }) => {
    if (isFailedCommit(message)) failedCommits.set(client, new Error(message))
  })
}

/** The connection is not used again. */
export function failedCommitOf(client: pg.ClientBase): Error | undefined {
  return failedCommits.get(client)
}
