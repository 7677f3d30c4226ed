/** Whether the service is read-only. Background work that writes pauses for that time. */
export class ReadOnlyMode {
  private listeners = new Set<() => void>()
  private isOn: boolean

  constructor(isOn: boolean) {
    this.isOn = isOn
  }

  set(isOn: boolean): void {
    this.isOn = isOn
    for (const listener of [...this.listeners]) listener()
  }

  /** Runs work whenever the service is not read-only, until `signal` is aborted. Work ends soon after its own signal. */
  async run(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      if (this.isOn) await this.change(signal)
      else await this.runOnce(signal, work)
    }
  }

  private async runOnce(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const rest = new AbortController()
    const stop = () => {
      if (this.isOn) rest.abort()
    }
    this.listeners.add(stop)
    await work(AbortSignal.any([signal, rest.signal])).finally(() => this.listeners.delete(stop))
  }

  private change(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.listeners.add(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    return promise.finally(() => this.listeners.delete(resolve))
  }
}
