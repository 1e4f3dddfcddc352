import type { FakeClock } from '@matchyard/testkit'

/** Time passes in steps of this: what is due within one happens together, which makes a run a few times quicker. */
export const GRAIN_MS = 10

/** What a life that is over waits for never comes. */
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

  /** Rejects where it is not to be waited for any more. */
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

  /** Called at its end: what was open is closed by whoever holds the other end. */
  whenOver(work: () => void): void {
    this.ends.push(work)
  }

  end(): void {
    this.alive = false
    for (const work of this.ends.splice(0)) work()
  }
}
