/** A choice of the person that this browser keeps; a browser that keeps nothing is no reason to fail. */
export function kept(name: string): { read(): string | undefined; write(value: string): void } {
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
