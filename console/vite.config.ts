import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin } from 'vite'
import { catalogue } from '../src/endpoints.ts'
import { mantineParts } from './mantine-parts.ts'

const serverSources = join(import.meta.dirname, '../src/')

export default defineConfig(({ command }) => {
  // With any other value, React makes more checks and is slower.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    root: import.meta.dirname,
    plugins: [react(), mantineParts(), operationsOfCatalogue()],
    css: { postcss: { plugins: [mantine()] } },
    // The server replaces this by a nonce in every page.
    html: { cspNonce: '{{nonce}}' },
    build: {
      target: 'es2023',
      // The security policy need not allow pictures in data URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1500,
      // The modules of the first page are one file, and those that many screens share another: fifty small files load slower.
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              {
                name: (id, context) =>
                  isOfFirstPage(id, (each) => context.getModuleInfo(each)) ? 'first' : null,
                priority: 2,
              },
              { name: 'shared', minShareCount: 6 },
            ],
          },
        },
      },
    },
  }
})

/** Method and path of every operation, read at build time: no code of the server is included. */
function operationsOfCatalogue(): Plugin {
  const name = 'virtual:operations'
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id.startsWith(serverSources))
        throw new Error(`The console takes types of the service only, not ${id}.`)
      if (id !== `\0${name}`) return undefined
      const operations = catalogue.map(({ id, method, path, scope }) => [id, { method, path, scope }])
      return `export const operations = ${JSON.stringify(Object.fromEntries(operations))}`
    },
  }
}

const firstPage = /\/console\/src\/(main|screens\/today\/today-screen)\.tsx$/

type ModuleInfoOf = (id: string) => { importers: readonly string[] } | null

/** Whether the frame or Today imports the module, directly or through others. */
function isOfFirstPage(id: string, infoOf: ModuleInfoOf): boolean {
  const seen = new Set([id])
  for (const each of seen) {
    if (firstPage.test(each)) return true
    for (const importer of infoOf(each)?.importers ?? []) seen.add(importer)
  }
  return false
}
