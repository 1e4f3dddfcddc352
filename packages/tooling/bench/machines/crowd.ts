import { setTimeout as wait } from 'node:timers/promises'
import type { Ground } from './ground'
import { play, type Seen } from './player'

/** Regions of the pairs of players, in turn: most pairs are of one side, and some accept both. */
const SIDES = [['fra'], ['iad'], ['fra'], ['iad'], ['iad', 'fra']] as const

/** Players who play one match after another, in pairs of the same regions. */
export class Crowd {
  readonly seen: Seen[] = []
  /** Sentences about players who got no match. */
  readonly turnedAway: string[] = []
  /** Whether all events have happened. The players go on until then. */
  isOver = false
  private begun = 0
  private drawn = 0
  private readonly underway = new Set<Promise<void>>()

  constructor(private readonly ground: Ground) {}

  /** Number of matches that ended. */
  get matches(): number {
    return Math.floor((this.seen.length + this.turnedAway.length) / 2)
  }

  /** Lets pairs play at least `matches` short matches, at most `atOnce` at the same time, until all events are over. */
  async playShort(matches: number, atOnce: number): Promise<void> {
    while (this.begun < matches || !this.isOver) {
      if (this.underway.size >= atOnce) await Promise.race(this.underway)
      else this.begin('short', SIDES[this.begun++ % SIDES.length] ?? ['fra'])
    }
    await Promise.all(this.underway)
  }

  /** Lets pairs of a region begin long matches, and waits until they run. Returns the ids of their servers. */
  async beginLong(count: number, region: string): Promise<readonly string[]> {
    const before = new Set((await this.ground.servers()).map(({ id }) => id))
    for (let pair = 0; pair < count; pair++) this.beginBeside('long', [region])
    for (;;) {
      const all = await this.ground.servers()
      const running = all.filter((one) => !before.has(one.id) && one.queueId === 'long' && one.status === 'running')
      if (running.length >= count) return running.map(({ id }) => id)
      await wait(250)
    }
  }

  /** Resolves when all matches have ended. */
  async end(): Promise<void> {
    await Promise.all(this.beside)
  }

  private readonly beside: Promise<void>[] = []

  private beginBeside(queue: string, regions: readonly string[]): void {
    this.beside.push(this.pair(queue, regions))
  }

  private begin(queue: string, regions: readonly string[]): void {
    const pair = this.pair(queue, regions).finally(() => this.underway.delete(pair))
    this.underway.add(pair)
  }

  private async pair(queue: string, regions: readonly string[]): Promise<void> {
    const turn = this.drawn++
    await Promise.all(
      ['red', 'blue'].map(async (side) => {
        const player = `${side}-${turn}`
        await play(this.ground.cluster, { player, queue, regions, turn }).then(
          (seen) => void this.seen.push(seen),
          (error: unknown) => void this.turnedAway.push(error instanceof Error ? error.message : String(error)),
        )
      }),
    )
  }
}
