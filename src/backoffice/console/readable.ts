import { ApiError } from '../../contract/errors.ts'

/**
 * Runs a use case that the command line shares. The use case throws an `Error` with a sentence; this function converts it
 * to an error of the catalogue. Programming errors have other classes and pass through.
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
