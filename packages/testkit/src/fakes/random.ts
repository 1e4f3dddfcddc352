import type { Random } from '@matchyard/core/ports'

/** Pseudo-random numbers: the same seed gives the same numbers (mulberry32). Not suitable for secrets. */
export class FakeRandom implements Random {
  private state: number

  constructor(seed = 1) {
    this.state = seed >>> 0
  }

  /** Returns a uniformly distributed integer from 0 to `below` − 1, for `below` up to 2^32. */
  int(below: number): number {
    return Math.floor((this.draw() / 2 ** 32) * below)
  }

  private draw(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = this.state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
