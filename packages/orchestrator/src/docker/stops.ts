import { setTimeout as pause } from 'node:timers/promises'
import type { Clock, Logger } from '@matchyard/core/ports'
import type { FoundContainer } from './containers'
import { asking, type Engine, statusOf, wordsOf } from './engine'

/** Milliseconds to wait until the engine has received a stop. After that the engine carries out the stop alone. */
const SENT_MS = 100

/** Sends stop requests to the engine, and records the stops that are in progress. */
export class Stops {
  /** By container id: the end of the grace period, in milliseconds since 1970. */
  private readonly stopping = new Map<string, number>()

  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly onDone: () => void,
  ) {}

  /**
   * Stops a container. The engine sends the signal, waits for the grace period and then kills the container, even when
   * this process has ended by then.
   */
  async send({ id, instanceId }: FoundContainer, graceMs: number): Promise<void> {
    const until = this.clock.now() + graceMs
    if ((this.stopping.get(id) ?? Number.POSITIVE_INFINITY) <= until) return // a stop cannot extend the grace
    this.stopping.set(id, until)
    const stopped = asking(this.engine.patient.getContainer(id).stop({ t: Math.ceil(graceMs / 1_000) }))
      .catch((error: unknown) => {
        if ([304, 404].includes(statusOf(error) ?? 0)) return // the container has already ended
        this.logger.warn('a stop was not carried out', { instance_id: instanceId, error: wordsOf(error) })
        throw error
      })
      .finally(() => {
        if (this.stopping.get(id) === until) this.stopping.delete(id)
        this.onDone()
      })
    stopped.catch(() => {}) // logged above; the core stops the container again
    await Promise.race([stopped, pause(SENT_MS, undefined, { ref: false })])
  }
}
