import { ServiceError } from '@matchyard/core'

/** So many hands, and so many who wait for one; whoever comes then is told to come again. */
export class Hands {
  private busy = 0
  private readonly waiting: (() => void)[] = []

  constructor(
    private readonly hands: number,
    private readonly maxWaiting: number,
  ) {}

  /** Does the work once a hand is free. Throws UNAVAILABLE where too many wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.busy >= this.hands) {
      if (this.waiting.length >= this.maxWaiting) {
        throw new ServiceError('UNAVAILABLE', 'too many passwords are being looked at right now; try again shortly')
      }
      // Whoever is done hands over to the one that waited longest.
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    } else this.busy++
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.busy--
      else next()
    }
  }
}
