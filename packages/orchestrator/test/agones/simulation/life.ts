import type { FakeClock } from '@matchyard/testkit'

/** Milliseconds of a step of time. Timers due within one step run together, which makes a run a few times faster. */
export const GRAIN_MS = 10

/** Returns a promise that never settles, for the calls of a life that has ended. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {})

/** One life of one node of the service, from its start to its death. */
export class Life {
  alive = true
  private readonly ends: (() => void)[] = []

  constructor(
    readonly name: string,
    private readonly clock: FakeClock,
  ) {}

  after(ms: number, work: () => void): () => void {
    const { clock } = this
    const due = Math.ceil((clock.now() + ms) / GRAIN_MS) * GRAIN_MS
    return clock.after(due - clock.now(), () => this.alive && work())
  }

  /** Resolves after some milliseconds; rejects when the signal aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        cancel()
        reject(new Error('not waited for any more'))
      }
      const cancel = this.after(ms, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      if (signal?.aborted === true) abort()
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** Registers work for the end of the life: the other end closes the connections that were open. */
  whenOver(work: () => void): void {
    this.ends.push(work)
  }

  end(): void {
    this.alive = false
    for (const work of this.ends.splice(0)) work()
  }
}
