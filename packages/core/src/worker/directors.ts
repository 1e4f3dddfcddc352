import type { Context } from '../use-cases/context'
import { Director } from '../use-cases/matchmaking/director'
import { runQueue, type Tick } from '../use-cases/matchmaking/run-queue'

/** The directors of this node, one per queue that ever had somebody waiting. */
export class Directors {
  readonly byQueue = new Map<string, Director>()
  private readonly waiting = new Map<string, Promise<Tick>>()

  constructor(private readonly ctx: Context) {}

  /** One tick of a queue; a tick asked for while one is waiting its turn is that one. */
  run(queueKey: string): Promise<Tick> {
    const pending = this.waiting.get(queueKey)
    if (pending !== undefined) return pending
    const tick = this.ctx.turns.run(`director:${queueKey}`, () => {
      this.waiting.delete(queueKey)
      return runQueue(this.ctx, this.of(queueKey))
    })
    this.waiting.set(queueKey, tick)
    return tick
  }

  of(queueKey: string): Director {
    const known = this.byQueue.get(queueKey)
    if (known !== undefined) return known
    const director = new Director(this.ctx, queueKey)
    this.byQueue.set(queueKey, director)
    return director
  }
}
