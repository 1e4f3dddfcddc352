import type { Clock } from '../ports/clock'
import type { Logger } from '../ports/logger'
import type { JsonObject } from '../shared/json'
import { type Instant, MINUTE_MS } from '../shared/time'

/** Milliseconds between two lines with the same message. */
const EVERY_MS = MINUTE_MS

/** Log of faults that another side may repeat without end: at most one line a minute for each message, with the number of omitted lines. */
export class SparseLog {
  /** Has one entry for each message; the messages are constants of the code. */
  private readonly told = new Map<string, { readonly at: Instant; omitted: number }>()

  constructor(
    private readonly logger: Logger,
    private readonly clock: Clock,
    private readonly fields: JsonObject,
  ) {}

  /** Writes a warning, unless the same message was written less than a minute ago. */
  warn(message: string, fields: JsonObject = {}): void {
    const now = this.clock.now()
    const last = this.told.get(message)
    if (last !== undefined && now - last.at < EVERY_MS) {
      last.omitted++
      return
    }
    const omitted = last === undefined || last.omitted === 0 ? {} : { omitted: last.omitted }
    this.told.set(message, { at: now, omitted: 0 })
    this.logger.warn(message, { ...this.fields, ...fields, ...omitted })
  }
}
