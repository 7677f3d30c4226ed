import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createPort } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A reverse proxy before several servers. It answers 502 if a server fails a request. */
export interface ReverseProxy {
  url: string
  /** Resolves once it sends requests to every server. */
  knowsAll(): Promise<void>
  close(): Promise<void>
}

/**
 * How the proxy notices that a server ends. `checks`: it asks /readyz, and sends no request to a server that is not ready,
 * even one that it would serve. `refusals`: only a refused connection makes it try the next server, as nginx does without checks.
 */
type Attention = 'checks' | 'refusals'

const checkMs = 100

/** Keeps connections to the servers, and never repeats a request: a server may have carried it out. */
export async function startProxy(ports: number[], attention: Attention): Promise<ReverseProxy> {
  const servers = ports.map((port) => ({
    port,
    isReady: attention === 'refusals',
    agent: new Agent({ keepAlive: true, maxFreeSockets: 16 }),
  }))
  const closing = new AbortController()
  const checking = attention === 'checks' ? servers.map((server) => keepChecking(server, closing.signal)) : []
  let last = 0

  function pass(
    incoming: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    refused: number[] = [],
  ): void {
    const ready = servers.filter(({ isReady, port }) => isReady && !refused.includes(port))
    const server = ready[++last % Math.max(1, ready.length)]
    if (!server) return void response.writeHead(502).end('no server')
    const { method, url: path, headers } = incoming
    const { connection: _, ...kept } = headers
    const sent = request(
      { host: '127.0.0.1', port: server.port, method, path, headers: kept, agent: server.agent },
      (answer) => {
        response.writeHead(answer.statusCode!, { 'content-type': answer.headers['content-type'] ?? '' })
        answer.on('error', () => response.destroy()).pipe(response)
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && attention === 'refusals')
        return pass(incoming, response, body, [...refused, server.port])
      response.writeHead(502).end(`${error.code} on a ${sent.reusedSocket ? 'kept' : 'new'} connection`)
    })
    sent.end(body)
  }

  // The test closes its connections. By default, Node would close idle ones after five seconds, below a request on its way.
  const proxy = createServer({ keepAliveTimeout: 0 }, async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray())
    pass(incoming, response, body)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const knowsAll = async () => {
    while (servers.some(({ isReady }) => !isReady)) await pause(20)
  }
  await knowsAll()
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    knowsAll,
    async close() {
      closing.abort()
      await Promise.all(checking)
      for (const { agent } of servers) agent.destroy()
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

async function keepChecking(server: { port: number; isReady: boolean }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    server.isReady = await fetch(`http://127.0.0.1:${server.port}/readyz`, {
      headers: { Connection: 'close' },
    }).then(
      ({ status }) => status === 200,
      () => false,
    )
    await pause(checkMs, undefined, { signal }).catch(() => undefined)
  }
}

export async function isNginxInstalled(): Promise<boolean> {
  return promisify(execFile)('nginx', ['-v']).then(
    () => true,
    () => false,
  )
}

/** The real nginx, with the upstream settings of deploy/nginx.conf. */
export async function startNginx(ports: number[]): Promise<ReverseProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-nginx-'))
  const [port] = await freePorts(1)
  const servers = ports.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join(' ')
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
     events {}
     http {
       access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
       upstream matricula { ${servers} keepalive 16; }
       server {
         listen 127.0.0.1:${port};
         location / { proxy_pass http://matricula; proxy_http_version 1.1; proxy_set_header Connection ""; }
       }
     }`,
  )
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url).catch(() => undefined))) await pause(50)
  return {
    url,
    knowsAll: async () => {},
    async close() {
      nginx.kill('SIGTERM')
      await once(nginx, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function freePorts(count: number): Promise<number[]> {
  const held = Array.from({ length: count }, () => createPort().listen(0, '127.0.0.1'))
  await Promise.all(held.map((port) => once(port, 'listening')))
  const ports = held.map((port) => (port.address() as AddressInfo).port)
  await Promise.all(held.map((port) => new Promise((resolve) => port.close(resolve))))
  return ports
}
