import { fileURLToPath } from 'node:url'

const { PATH = '' } = process.env

/** The environment of a program that a test starts. It keeps the compile cache: without it, half of the start is compiling. */
export const bareEnvironment = {
  PATH,
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
}
