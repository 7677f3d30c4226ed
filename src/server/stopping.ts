/** That a server is to end, and how soon. */
export interface Stopping {
  /** Aborted from the moment it is asked to stop. */
  signal: AbortSignal
  /** The name of the signal that asked. */
  asked: Promise<string>
  /** Asked a second time: somebody does not want to wait. */
  insisted: Promise<void>
}

/** Ctrl-C, SIGTERM and a closed terminal ask the server to stop, while it starts as well. */
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
