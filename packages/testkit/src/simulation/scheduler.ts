import type { Random } from '@matchyard/core/ports'

/** One life of one node, from its start to its crash or stop. What a dead life waits for never comes. */
export interface Life {
  readonly nodeId: string
  /** Counts the node's lives, from 1. */
  readonly number: number
  alive: boolean
  /** What happens once it goes on; undefined while it does not stand still. */
  missed: (() => void)[] | undefined
}

/** At once, or once this life goes on where it stands still; never, once it is over. */
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
 * Decides who goes on. Every call of a port waits here for its turn, so between two turns exactly one call takes effect, and the
 * same draws give the same order of events.
 */
export class Scheduler {
  private parked: Parked[] = []
  /** Turns given so far. */
  turns = 0

  constructor(public random: Random) {}

  get waiting(): number {
    return this.parked.length
  }

  /** Resolves when it is this caller's turn; never, once its life is over. */
  turn(life: Life, what: string): Promise<void> {
    return new Promise((resolve) => {
      if (life.alive) this.parked.push({ life, what, go: resolve })
    })
  }

  /** Forgets what a life was waiting for. */
  end(life: Life): void {
    life.alive = false
    this.parked = this.parked.filter((one) => one.life !== life)
  }

  /**
   * Lets one go on until everything stands still again; answers what it was, undefined when nobody waits. Everything must stand still
   * before, so whoever starts something awaits `stillness` first.
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

/** All promises that can settle have settled: nothing in the simulation waits for anything but a turn. */
export const stillness = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What a crashed node's calls come to. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {})
