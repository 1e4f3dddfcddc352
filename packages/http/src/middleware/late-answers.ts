import type { Timers } from '@matchyard/core/ports'

/** Answers that are held back at once. Past it the one that has been held back longest is given at once. */
export const MAX_LATE_ANSWERS = 1_000

/** Holds answers back for a while. A held answer has nothing but its connection: no hash, no place in a line. */
export class LateAnswers {
  /** Oldest first. */
  private readonly held = new Set<() => void>()

  constructor(private readonly timers: Timers) {}

  /** Resolves after `ms`, or sooner where too many are held back. */
  async hold(ms: number): Promise<void> {
    if (ms <= 0) return
    const [oldest] = this.held
    if (this.held.size >= MAX_LATE_ANSWERS) oldest?.()
    await new Promise<void>((resolve) => {
      const give = () => {
        cancel()
        this.held.delete(give)
        resolve()
      }
      const cancel = this.timers.after(ms, give)
      this.held.add(give)
    })
  }
}
