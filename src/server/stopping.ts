/** A request to stop the server. */
export interface Stopping {
  /** Aborted when the server is asked to stop. */
  signal: AbortSignal
  /** The name of the signal that asked. */
  asked: Promise<string>
  /** Resolves when the server is asked a second time: requests in progress are cut off. */
  insisted: Promise<void>
}

/** Ctrl-C, SIGTERM and a closed terminal stop the server, also during its start. */
export function listenForStop(): Stopping & { forget(): void } {
  const controller = new AbortController()
  const asked = Promise.withResolvers<string>()
  const insisted = Promise.withResolvers<void>()
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const stop = (name: string) => {
    if (controller.signal.aborted) insisted.resolve()
    controller.abort(new Error('The server was told to stop.'))
    asked.resolve(name)
  }
  for (const name of names) process.on(name, stop)
  const forget = () => {
    for (const name of names) process.off(name, stop)
  }
  return { signal: controller.signal, asked: asked.promise, insisted: insisted.promise, forget }
}
