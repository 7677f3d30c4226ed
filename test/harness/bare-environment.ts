import { fileURLToPath } from 'node:url'

const { PATH = '' } = process.env

/** What a program that a test starts finds set, and nothing else of ours: half of its start would be compiling. */
export const bareEnvironment = {
  PATH,
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
}
