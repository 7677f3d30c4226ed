import type pg from 'pg'
import { isFailedCommit } from './availability.ts'

/**
 * A cluster commits in two phases. If a node is lost between them, the coordinator only warns, and reports a commit. The
 * commit completes up to a minute later, once the node is back; until then it is invisible and its rows are locked. The
 * caller would miss its change, so the outcome is reported as unknown.
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
