import { HOUR_MS, type Instant } from '../../shared/time'
import type { StreamEvent } from './commit'

/** Limits of a lobby's log of events. An event beyond any of the three limits is removed, unless it is the newest (docs/http-api.md §7). */
export const STREAM_RETENTION = { events: 1_000, ms: HOUR_MS, bytes: 4 * 1024 * 1024 } as const

/** Maximum number of lobbies in one call of `events.heads`. */
export const MAX_HEADS = 1_000

/** A stream event as the log returns it. */
export interface LoggedEvent extends StreamEvent {
  /** Bytes of the lobby as JSON in UTF-8. */
  readonly bytes: number
}

/** Properties of an event that decide its retention. */
export interface LogEntry {
  readonly version: number
  readonly at: Instant
  readonly bytes: number
  /** Bytes of all events from the beginning of the log up to this event, removed events included. */
  readonly total: number
}

// Commits remove old events once for every eighth of a limit. The log then exceeds a limit by an eighth at most, and each removal is small.
const EVENTS_BETWEEN_CUTS = STREAM_RETENTION.events / 8
const BYTES_BETWEEN_CUTS = STREAM_RETENTION.bytes / 8

/**
 * Whether the commit of this event also removes the events beyond the limits of count and bytes. False as long as the log has never
 * exceeded one of these two limits.
 */
export function isCutDue({ version, bytes, total }: Omit<LogEntry, 'at'>): boolean {
  if (version > STREAM_RETENTION.events && version % EVENTS_BETWEEN_CUTS === 0) return true
  const parts = (sum: number) => Math.floor(sum / BYTES_BETWEEN_CUTS)
  return total > STREAM_RETENTION.bytes && parts(total) > parts(total - bytes)
}

/**
 * Returns the number of events to remove from the start of a log: all events before the first that is within the three limits. Without
 * `now` the limit of age does not apply.
 */
export function forgottenOf(log: readonly LogEntry[], now = Number.NEGATIVE_INFINITY): number {
  const newest = log.at(-1)
  if (newest === undefined) return 0
  const isKept = ({ version, at, bytes, total }: LogEntry) =>
    version > newest.version - STREAM_RETENTION.events &&
    newest.total - (total - bytes) <= STREAM_RETENTION.bytes &&
    at >= now - STREAM_RETENTION.ms
  return log.findIndex((entry) => entry === newest || isKept(entry))
}
