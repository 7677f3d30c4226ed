import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** The last line of a run: its result in a format that programs parse without knowing the runner. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: ReturnType<TestCase['result']>['state']) =>
      tests.filter((test) => test.result().state === state).length
    // Failures outside a test, such as a file that does not load or an uncaught error, belong to no test.
    const failed =
      count('failed') + modules.filter((module) => module.errors().length > 0).length + errors.length
    process.stdout.write(`${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped\n`)
  }
}
