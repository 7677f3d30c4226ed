import { fileURLToPath } from 'node:url'

const { PATH = '' } = process.env

/** The environment of a program that a test starts. Without the compile cache, half of the start is compiling. */
export const bareEnvironment = {
  PATH,
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
}
