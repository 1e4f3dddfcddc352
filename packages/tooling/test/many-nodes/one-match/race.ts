import { setImmediate as turn } from 'node:timers/promises'

/** Options of a race: the number of rounds, and random numbers in [0, 1). */
export interface Race {
  readonly rounds: number
  readonly random: () => number
}

/** Number of rounds by outcome. */
export type Tally = Readonly<Record<string, number>>

/** Most turns of the event loop by which one side starts later. */
const MOST_TURNS = 400

/**
 * Delay of one side of a race. It adapts to the outcomes, so that neither side keeps winning: a race that always ends in
 * the same way tests nothing.
 */
export class Delay {
  private most = 4

  constructor(private readonly random: () => number) {}

  async pass(): Promise<void> {
    for (let left = this.random() * this.most; left >= 1; left--) await turn()
  }

  adapt(isLonger: boolean): void {
    this.most = isLonger ? Math.min(MOST_TURNS, this.most * 1.1) : Math.max(1, this.most * 0.9)
  }
}
