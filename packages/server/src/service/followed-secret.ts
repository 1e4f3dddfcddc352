import type { Instant } from '@matchyard/core'
import { MINUTE_MS, SECOND_MS } from '@matchyard/core/domain'
import type { Timers } from '@matchyard/core/ports'
import { checkSecret, stateOf, type ToCheckSecret } from './check-secret'
import { readSecretMarks } from './secret-marks'

/** Milliseconds between two reads while the change of the secret is still to come. */
const WAITING_MS = 5 * SECOND_MS
/** Milliseconds between two reads at all other times. */
const RESTING_MS = MINUTE_MS

export interface ToFollowSecret extends ToCheckSecret {
  readonly timers: Timers
  now(): Instant
}

/**
 * Change of the installation's secret, as this node last read it. While the node has a previous secret, it reads from
 * the storage from when on the new secret signs, so that a change needs no second restart.
 */
export class FollowedSecret {
  private at: Instant | undefined
  private isStopped = false
  private cancel = () => {}

  constructor(private readonly of: ToFollowSecret) {}

  /** Returns the instant from which the new secret signs; undefined: it has not been set yet. */
  changesAt(): Instant | undefined {
    return this.at
  }

  /** Checks the secrets before the service starts. Throws ConfigurationError. */
  async check(): Promise<void> {
    this.at = await checkSecret(this.of)
    if (this.isComing())
      this.of.logger.info('this node knows the next secret; run matchyard secret --change when all nodes know it')
  }

  /** Reads the change of the secret again and again, until `stop`. */
  follow(): void {
    this.readLater()
  }

  stop(): void {
    this.isStopped = true
    this.cancel()
  }

  private isComing(): boolean {
    return this.of.previous !== undefined && (this.at === undefined || this.at > this.of.now())
  }

  private readLater(): void {
    if (this.isStopped) return
    this.cancel = this.of.timers.after(this.isComing() ? WAITING_MS : RESTING_MS, () => {
      // A storage that does not answer is reported elsewhere; the next read follows.
      this.read()
        .catch(() => {})
        .finally(() => this.readLater())
    })
  }

  private async read(): Promise<void> {
    const marks = await readSecretMarks(this.of.storage)
    const state = stateOf(marks, this.of)
    if (state === 'other' || state === 'stale') {
      this.of.logger.error(
        'MATCHYARD_SECRET was changed for this database, and this node does not have the new one; restart the node with it',
      )
      return
    }
    if (state !== 'same' || marks.change === undefined || marks.change.at === this.at) return
    this.at = marks.change.at
    this.of.logger.info('the secret changes', { at: new Date(this.at).toISOString() })
  }
}
