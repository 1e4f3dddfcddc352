import { afterAll, test } from 'vitest'
import { skipWithout } from './needs'

/** Collects tests that need a container engine. When there is no engine, each of these tests is reported as skipped. */
export class EngineCases<E extends { stop(): Promise<void> }> {
  private readonly cases: { name: string; run: (engine: E) => Promise<unknown>; timeoutMs: number | undefined }[] = []

  add(name: string, run: (engine: E) => Promise<unknown>, timeoutMs?: number): void {
    this.cases.push({ name, run, timeoutMs })
  }

  /**
   * Registers all collected tests. If `engine` is a string, it is the reason why there is no engine, and the tests are
   * skipped.
   */
  register(engine: E | string): void {
    for (const { name, run, timeoutMs } of this.cases) {
      test(
        name,
        (context) => (typeof engine === 'string' ? skipWithout(context, 'a container engine', engine) : run(engine)),
        timeoutMs,
      )
    }
    if (typeof engine !== 'string') afterAll(() => engine.stop(), 60_000)
  }
}
