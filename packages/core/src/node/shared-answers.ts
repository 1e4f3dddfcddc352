import type { Clock } from '../ports/clock'
import { SECOND_MS } from '../shared/time'

/** Default milliseconds for which an answer is shared. */
const SHARED_FOR_MS = 1 * SECOND_MS
/** Number of answers kept at once; beyond it the oldest is dropped, and the next question computes it again. */
export const MAX_SHARED_ANSWERS = 64

interface Answer<T> {
  readonly promise: Promise<T>
  /** Instant at which the answer was complete; undefined while it is being computed. */
  madeAt: number | undefined
}

/**
 * Cache for answers that many callers ask for at once: each is computed at most once per period and key (a second by default), and concurrent
 * callers share it. A failure is passed to the waiting callers and not cached.
 */
export class SharedAnswers<T> {
  private readonly answers = new Map<string, Answer<T>>()

  constructor(
    private readonly clock: Clock,
    private readonly forMs: number = SHARED_FOR_MS,
  ) {}

  get(key: string, make: () => Promise<T>): Promise<T> {
    this.forgetOld()
    const known = this.answers.get(key)
    if (known !== undefined && !this.isOld(known)) return known.promise
    const answer: Answer<T> = { promise: make(), madeAt: undefined }
    this.answers.delete(key)
    this.answers.set(key, answer)
    answer.promise.then(
      () => {
        answer.madeAt = this.clock.now()
      },
      () => {
        if (this.answers.get(key) === answer) this.answers.delete(key)
      },
    )
    return answer.promise
  }

  /** Number of cached answers. */
  get size(): number {
    return this.answers.size
  }

  private isOld({ madeAt }: Answer<T>): boolean {
    return madeAt !== undefined && this.clock.now() - madeAt >= this.forMs
  }

  /** Removes expired answers. The oldest come first, so a call examines only the answers that it removes. */
  private forgetOld(): void {
    for (const [key, answer] of this.answers) {
      if (this.answers.size < MAX_SHARED_ANSWERS && !this.isOld(answer)) return
      this.answers.delete(key)
    }
  }
}
