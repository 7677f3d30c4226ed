import { Command } from 'commander'
import { print } from './output.ts'
import type { Settings } from './session.ts'

export function createCommand(settings: Settings): Command {
  return new Command('serve').action((options) => run(settings, options))
}

async function run(settings: Settings, options: { json?: boolean }): Promise<void> {
  const config = settings()
  // Only this command needs the whole server.
  const { serve } = await import('../main.ts')
  if (!options.json) return serve(config)
  await serve(config, ({ baseUrl, dataDir }) => {
    print({ json: { base_url: baseUrl, data_dir: dataDir ?? null }, text: baseUrl }, true)
  })
}
