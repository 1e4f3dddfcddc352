import type { Clock } from '../ports/clock'
import { SECOND_MS } from '../shared/time'

/** An answer is everybody's for this long. */
const SHARED_FOR_MS = 1 * SECOND_MS
/** Answers kept at once; past it the oldest goes, and whoever asks for it next makes it anew. */
export const MAX_SHARED_ANSWERS = 64

interface Answer<T> {
  readonly promise: Promise<T>
  /** When it was there; undefined while it is being made. */
  madeAt: number | undefined
}

/**
 * What many ask for at once and what costs something to find out: it is made at most once in so long per key (a second unless said), and all who ask
 * meanwhile are given the same. A failure is told to those who waited for it, and not kept.
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

  /** How many are kept. */
  get size(): number {
    return this.answers.size
  }

  private isOld({ madeAt }: Answer<T>): boolean {
    return madeAt !== undefined && this.clock.now() - madeAt >= this.forMs
  }

  /** The oldest stand first, so that a call looks at no more than it forgets. */
  private forgetOld(): void {
    for (const [key, answer] of this.answers) {
      if (this.answers.size < MAX_SHARED_ANSWERS && !this.isOld(answer)) return
      this.answers.delete(key)
    }
  }
}
