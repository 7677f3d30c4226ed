/** A setting in local storage. Without local storage it is undefined. */
export function localSetting(name: string): { read(): string | undefined; write(value: string): void } {
  const key = `matricula.${name}`
  return {
    read() {
      try {
        return localStorage.getItem(key) ?? undefined
      } catch {
        return undefined
      }
    },
    write(value) {
      try {
        localStorage.setItem(key, value)
      } catch {
        // Private windows of some browsers.
      }
    },
  }
}
