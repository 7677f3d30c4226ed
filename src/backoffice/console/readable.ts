import { ApiError } from '../../contract/errors.ts'

/**
 * Runs what the command line runs as well, which refuses by a sentence: here it is an answer from the catalogue. Faults of
 * programs are other errors than these, and stay what they are.
 */
export async function readable<Result>(param: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Error) || error.constructor !== Error) throw error
    throw new ApiError('invalidParameter', {
      msg: error.message,
      errors: [{ param, reason: error.message }],
    })
  }
}
