import type { Logger } from '@matchyard/core/ports'
import { ApiRefusal, Unreachable } from '../kube/errors'

/** Maximum number of outages for which the class remembers that they were logged. */
const REMEMBERED = 1_000

/** Labels that identify the cluster, or the object in a cluster, that an outage concerns. */
export type OutageOf = Readonly<Record<string, string>>

/**
 * Runs work so that a failure affects only one cluster or one object. Logs an outage when it begins or when its message
 * changes, not at every try.
 */
export class Outages {
  private readonly told = new Map<string, string>()

  constructor(
    private readonly logger: Logger,
    private readonly sentence: string,
  ) {}

  /**
   * Runs work on one object. A refusal by the cluster is logged and does not reject, so that the remaining work is
   * done. Rejects when the cluster does not answer, because the remaining work would fail too.
   */
  contained(of: OutageOf, work: () => Promise<void>): Promise<void> {
    return this.within(of, work, (error) => error instanceof ApiRefusal)
  }

  /**
   * Runs work on a whole cluster. When the cluster refuses or does not answer, the method logs the error and does not
   * reject.
   */
  containedWhole(of: OutageOf, work: () => Promise<void>): Promise<void> {
    return this.within(of, work, (error) => error instanceof ApiRefusal || error instanceof Unreachable)
  }

  private async within(of: OutageOf, work: () => Promise<void>, isKnown: (error: unknown) => boolean): Promise<void> {
    const key = JSON.stringify(of)
    try {
      await work()
      this.told.delete(key)
    } catch (error) {
      if (!isKnown(error)) throw error
      const { message } = error as Error
      if (this.told.get(key) === message) return
      this.told.set(key, message)
      if (this.told.size > REMEMBERED) this.told.delete([...this.told.keys()][0] ?? '')
      this.logger.warn(this.sentence, { ...of, error: message })
    }
  }
}
