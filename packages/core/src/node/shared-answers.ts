import type { Clock } from '../ports/clock'
import { SECOND_MS } from '../shared/time'

/** Default milliseconds for which a cached answer is returned to all callers. */
const SHARED_FOR_MS = 1 * SECOND_MS
/** Default maximum number of cached answers. Above it the oldest answer is dropped, and the next caller computes that answer again. */
export const MAX_SHARED_ANSWERS = 64

interface Answer<T> {
  readonly promise: Promise<T>
  /** Instant at which the computation of the answer ended; undefined while it runs. */
  madeAt: number | undefined
}

/**
 * Cache for results ("answers") that many callers ask for at the same time. Each answer is computed at most once per period and key (a
 * second by default), and concurrent callers wait for the same computation. A failure is passed to the waiting callers and not cached.
 */
export class SharedAnswers<T> {
  private readonly answers = new Map<string, Answer<T>>()

  constructor(
    private readonly clock: Clock,
    private readonly forMs: number = SHARED_FOR_MS,
    private readonly most: number = MAX_SHARED_ANSWERS,
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

  /** Removes expired answers. The answers are in the order of their age, so a call examines only expired answers. */
  private forgetOld(): void {
    for (const [key, answer] of this.answers) {
      if (this.answers.size < this.most && !this.isOld(answer)) return
      this.answers.delete(key)
    }
  }
}
