import { setTimeout as pause } from 'node:timers/promises'
import type { Clock, Logger } from '@matchyard/core/ports'
import type { FoundContainer } from './containers'
import { asking, type Engine, statusOf, wordsOf } from './engine'

/** A stop is given so long to reach the engine; from then on the engine sees to it by itself. */
const SENT_MS = 100

/** Stops that are under way. */
export class Stops {
  /** By container, by when it is to have ended. */
  private readonly stopping = new Map<string, number>()

  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly onDone: () => void,
  ) {}

  /** The engine asks, waits and kills, also when this process is gone by then. */
  async send({ id, instanceId }: FoundContainer, graceMs: number): Promise<void> {
    const until = this.clock.now() + graceMs
    if ((this.stopping.get(id) ?? Number.POSITIVE_INFINITY) <= until) return // asked again: no longer grace
    this.stopping.set(id, until)
    const stopped = asking(this.engine.patient.getContainer(id).stop({ t: Math.ceil(graceMs / 1_000) }))
      .catch((error: unknown) => {
        if ([304, 404].includes(statusOf(error) ?? 0)) return // it has ended by itself
        this.logger.warn('a stop was not carried out', { instance_id: instanceId, error: wordsOf(error) })
        throw error
      })
      .finally(() => {
        if (this.stopping.get(id) === until) this.stopping.delete(id)
        this.onDone()
      })
    stopped.catch(() => {}) // told above; seen again by `observe`, and stopped again
    await Promise.race([stopped, pause(SENT_MS, undefined, { ref: false })])
  }
}
