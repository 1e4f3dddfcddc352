import type { Random } from '@matchyard/core/ports'

/** One life of a node, from its start to its crash or stop. A promise that a crashed life awaits never settles. */
export interface Life {
  readonly nodeId: string
  /** Number of this life of the node; the first life is 1. */
  readonly number: number
  alive: boolean
  /** Events that run when a paused node continues; undefined while the node is not paused. */
  missed: (() => void)[] | undefined
}

/**
 * Runs an event at once. While the node is paused, the event is delayed until the node continues. After the end of the
 * life, the event never runs.
 */
export function whenItGoes(life: Life, happen: () => void): void {
  if (life.missed !== undefined) life.missed.push(happen)
  else if (life.alive) happen()
}

interface Parked {
  readonly life: Life
  readonly what: string
  readonly go: () => void
}

/**
 * Decides which port call continues next. Every call of a port (adapter interface) waits here for its turn. In each
 * turn one waiting call continues, so exactly one call takes effect between two turns. The same random numbers give the
 * same order of calls.
 */
export class Scheduler {
  private parked: Parked[] = []
  /** Number of turns that the scheduler has given so far. */
  turns = 0

  constructor(public random: Random) {}

  get waiting(): number {
    return this.parked.length
  }

  /** Resolves when the scheduler gives this caller its turn; never when the caller's life has ended before. */
  turn(life: Life, what: string): Promise<void> {
    return new Promise((resolve) => {
      if (life.alive) this.parked.push({ life, what, go: resolve })
    })
  }

  /** Ends a life and removes its waiting calls. */
  end(life: Life): void {
    life.alive = false
    this.parked = this.parked.filter((one) => one.life !== life)
  }

  /**
   * Gives one waiting call its turn and waits until no other code can run. Returns the name of the call; undefined when
   * no call waits. No other code may be running before the step: a caller that starts asynchronous work must await
   * `stillness` first.
   */
  async step(): Promise<string | undefined> {
    const able = this.parked.filter(({ life }) => life.missed === undefined)
    const chosen = able[this.random.int(Math.max(1, able.length))]
    if (chosen === undefined) return undefined
    this.parked.splice(this.parked.indexOf(chosen), 1)
    this.turns++
    chosen.go()
    await stillness()
    return `${chosen.life.nodeId}.${chosen.life.number} ${chosen.what}`
  }
}

/** Resolves when all promises that can settle have settled. After that, all work in the simulation waits for turns. */
export const stillness = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Returns a promise that never settles, like the calls of a crashed node. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {})
