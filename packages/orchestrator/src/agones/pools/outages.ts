import type { Logger } from '@matchyard/core/ports'
import { ApiRefusal, Unreachable } from '../kube/errors'

/** Of so many it is known that they are told. */
const REMEMBERED = 1_000

/** What an outage is of: a cluster, or one thing in it. */
export type OutageOf = Readonly<Record<string, string>>

/** Keeps what fails to where it is, and tells of it when it begins, or comes to be something else, and not at every look. */
export class Outages {
  private readonly told = new Map<string, string>()

  constructor(
    private readonly logger: Logger,
    private readonly sentence: string,
  ) {}

  /** What the cluster refuses is no reason to leave the rest undone. Throws where it does not answer: nor would it answer the rest. */
  contained(of: OutageOf, work: () => Promise<void>): Promise<void> {
    return this.within(of, work, (error) => error instanceof ApiRefusal)
  }

  /** The same of a whole cluster, which may not answer. */
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
