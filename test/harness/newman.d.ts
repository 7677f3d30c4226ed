declare module 'newman' {
  interface Execution {
    item: { name: string }
    response?: { code: number; text(): string }
    assertions?: { assertion: string; error?: { message: string } }[]
  }
  interface Summary {
    run: { executions: Execution[]; failures: { error: { message: string } }[] }
  }
  interface Options {
    collection: object
    environment: object
    reporters: string[]
  }
  const newman: { run(options: Options, done: (error: Error | null, summary: Summary) => void): void }
  export default newman
}
