import { afterAll, test } from 'vitest'
import { skipWithout } from './needs'

/** Gathers cases that need a container engine, so that where none can be had each of them is left out, and the run says so. */
export class EngineCases<E extends { stop(): Promise<void> }> {
  private readonly cases: { name: string; run: (engine: E) => Promise<unknown>; timeoutMs: number | undefined }[] = []

  add(name: string, run: (engine: E) => Promise<unknown>, timeoutMs?: number): void {
    this.cases.push({ name, run, timeoutMs })
  }

  /** Registers them all; a sentence instead of an engine says why they cannot be run. */
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
