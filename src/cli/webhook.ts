import { Command, Option } from 'commander'
import { ApiError } from '../contract/errors.ts'
import { createWebhookEndpoint } from '../events/webhooks/create-endpoint.ts'
import { deliveryStates } from '../events/webhooks/delivery-store.ts'
import type { EndpointRow } from '../events/webhooks/endpoint-row.ts'
import { fetchWebhookDelivery, listWebhookDeliveries } from '../events/webhooks/list-deliveries.ts'
import { listWebhookEndpoints } from '../events/webhooks/list-endpoints.ts'
import { replayWebhookDeliveries } from '../events/webhooks/replay-deliveries.ts'
import { rotateWebhookSecret } from '../events/webhooks/rotate-secret.ts'
import {
  enableWebhookEndpoint,
  pingWebhookEndpoint,
  removeWebhookEndpoint,
  updateWebhookEndpoint,
} from '../events/webhooks/update-endpoint.ts'
import { jsonOption, readCount, record, splitList, table } from './output.ts'
import { call, type OperationOptions, run } from './run-operation.ts'
import type { Settings } from './session.ts'

type Work = Parameters<typeof run>[2]

/** Commands on webhooks, with the use cases of the API. A running server delivers. */
export function createCommand(settings: Settings): Command {
  const webhook = new Command('webhook')
  const command = (name: string, description: string) =>
    webhook
      .command(name)
      .description(description)
      .requiredOption('--org <corp_id>', 'the organization')
      .option(...jsonOption)
  const onEndpoint = (name: string, description: string) =>
    command(name, description).argument('<endpoint_id>', 'the endpoint; webhook list has it')
  /** The operator's setting applies to commands too. */
  const act = (options: OperationOptions, work: Work) =>
    run(settings, options, (context, show) =>
      work({ ...context, allowsPrivateWebhooks: settings().privateWebhooks }, show).catch(refuse),
    )

  command('list', 'List webhook endpoints with their health.').action((options) =>
    act(options, async (context, show) => {
      const { list } = await call(context, listWebhookEndpoints, {})
      show({ list }, list.length === 0 ? 'No webhook endpoints.' : table(list, endpointColumns))
    }),
  )
  command('create', 'Create a webhook endpoint and show its secret, once.')
    .requiredOption('--url <url>', 'https address that receives events')
    .option(
      '--types <list>',
      'types with commas in between, such as order.*,user.created (default: *)',
      splitList,
    )
    .option('--description <text>', 'for administrators')
    .action(({ url, types = ['*'], description, ...options }) =>
      act(options, async (context, show) => {
        const made = await call(context, createWebhookEndpoint, { url, types, description })
        show(made, `Created. Keep the secret: it is not shown again.\n${record(briefly(made))}`)
      }),
    )
  onEndpoint('update', 'Change or pause a webhook endpoint.')
    .option('--url <url>', 'another address')
    .option('--types <list>', 'other types', splitList)
    .option('--description <text>', 'for administrators')
    .option('--pause', 'send nothing until it is enabled')
    .action((endpoint_id, { url, types, description, pause, ...options }) =>
      act(options, async (context, show) => {
        const wanted = { endpoint_id, url, types, description, is_enabled: pause ? false : undefined }
        const changed = await call(context, updateWebhookEndpoint, wanted)
        show(changed, record(briefly(changed)))
      }),
    )
  onEndpoint('rotate', 'Create a new secret. The old one signs too for 24 hours.').action(
    (endpoint_id, options) =>
      act(options, async (context, show) => {
        const rotated = await call(context, rotateWebhookSecret, { endpoint_id })
        show(rotated, `Keep the secret: it is not shown again.\n${record(briefly(rotated))}`)
      }),
  )
  onEndpoint('ping', 'Send a test event.').action((endpoint_id, options) =>
    act(options, async (context, show) => {
      show(
        await call(context, pingWebhookEndpoint, { endpoint_id }),
        'A running server sends the test event now. See webhook deliveries.',
      )
    }),
  )
  onEndpoint('enable', 'Enable a webhook endpoint again. It continues where it stopped.')
    .option('--skip-missed', 'continue with new events instead')
    .action((endpoint_id, { skipMissed: skip_missed, ...options }) =>
      act(options, async (context, show) => {
        const enabled = await call(context, enableWebhookEndpoint, { endpoint_id, skip_missed })
        show(enabled, record(briefly(enabled)))
      }),
    )
  onEndpoint('remove', 'Remove a webhook endpoint with its deliveries.').action((endpoint_id, options) =>
    act(options, async (context, show) => {
      show(await call(context, removeWebhookEndpoint, { endpoint_id }), 'Removed.')
    }),
  )
  onEndpoint('deliveries', 'List deliveries, the newest event first.')
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices([...deliveryStates]))
    .option('--after <cursor>', 'next_cursor of the page before')
    .option('--limit <n>', 'number of deliveries (default: 100)', readCount)
    .action((endpoint_id, { state, after, limit, ...options }) =>
      act(options, async (context, show) => {
        const page = await call(context, listWebhookDeliveries, { endpoint_id, state, after, limit })
        const more = page.has_more ? `\nMore with --after ${page.next_cursor}` : ''
        show(page, page.list.length === 0 ? 'No deliveries.' : table(page.list, deliveryColumns) + more)
      }),
    )
  command('delivery', 'Show a delivery with its attempts.')
    .argument('<delivery_id>', 'the delivery; webhook deliveries has it')
    .action((delivery_id, options) =>
      act(options, async (context, show) => {
        const { attempt_list, ...delivery } = await call(context, fetchWebhookDelivery, { delivery_id })
        const attempts = table(attempt_list, ['attempt', 'at', 'duration_ms', 'error', 'status', 'response'])
        show({ ...delivery, attempt_list }, `${record(delivery)}\n\n${attempts}`)
      }),
    )
  onEndpoint('replay', 'Deliver one event, a range of events or all dead deliveries again.')
    .option('--delivery <delivery_id>', 'one delivery')
    .option('--from-seq <n>', 'number of the first event', readCount)
    .option('--until-seq <n>', 'number of the last event', readCount)
    .option('--all-dead', 'all dead deliveries')
    .action((endpoint_id, { delivery: delivery_id, fromSeq, untilSeq, allDead, ...options }) =>
      act(options, async (context, show) => {
        const selected = { delivery_id, from_seq: fromSeq, until_seq: untilSeq, all_dead: allDead }
        const answer = await call(context, replayWebhookDeliveries, { endpoint_id, ...selected })
        const more = answer.has_more ? ' More are left: run the command again.' : ''
        show(answer, `${answer.replayed} deliveries are attempted again.${more}`)
      }),
    )
  return webhook
}

function refuse(error: unknown): never {
  throw error instanceof ApiError ? new Error(error.message) : error
}

const endpointColumns = [
  ...([
    'endpoint_id',
    'url',
    'health',
    'disabled_reason',
    'error',
    'status',
    'waiting',
    'dead',
    'lag',
  ] as const),
]
const deliveryColumns = [
  ...(['delivery_id', 'type', 'state', 'attempts', 'error', 'status', 'next_at', 'mtime'] as const),
]

function briefly({ endpoint_id, url, types, health, ...rest }: EndpointRow & { secret?: string }) {
  return { endpoint_id, url, types, health, ...(rest.secret && { secret: rest.secret }) }
}
