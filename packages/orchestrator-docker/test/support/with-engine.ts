import { afterAll, test } from 'vitest'
import type { OwnEngine, TestEngine } from './engine'

/** Gathers cases that need an engine, so that where none can be had it is told how many were not run. */
export class EngineCases<E extends TestEngine> {
  private readonly cases: { name: string; run: (engine: E) => Promise<unknown>; timeoutMs: number | undefined }[] = []

  add(name: string, run: (engine: E) => Promise<unknown>, timeoutMs?: number): void {
    this.cases.push({ name, run, timeoutMs })
  }

  /** Registers them all, or one test whose name says why there are none. */
  register(engine: E | string): void {
    if (typeof engine === 'string') {
      const title = `no container engine here: ${this.cases.length} cases not run (${engine})`
      console.warn(title)
      test(title, () => {})
      return
    }
    for (const { name, run, timeoutMs } of this.cases) test(name, () => run(engine), timeoutMs)
    afterAll(() => engine.stop(), 60_000)
  }
}

export type { OwnEngine, TestEngine }
