import type { Timers } from '@matchyard/core/ports'

/**
 * Maximum number of answers that are held back at once. Past it, the answer that has been held longest is sent at once.
 */
export const MAX_LATE_ANSWERS = 1_000

/**
 * Holds answers back for a while. A held answer occupies only its connection: no slot for hashing, no place in a line.
 */
export class LateAnswers {
  /** Functions that release the held answers, the oldest first. */
  private readonly held = new Set<() => void>()

  constructor(private readonly timers: Timers) {}

  /** Resolves after `ms` milliseconds, or sooner when too many answers are held back. */
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
