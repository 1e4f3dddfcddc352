import { HOUR_MS, type Instant } from '../../shared/time'
import type { StreamEvent } from './commit'

/** Limits of a lobby's log: an event beyond any of the three is removed, except the newest (docs/http-api.md §7). */
export const STREAM_RETENTION = { events: 1_000, ms: HOUR_MS, bytes: 4 * 1024 * 1024 } as const

/** Lobbies whose newest version is asked for in one call of `events.heads`, at most. */
export const MAX_HEADS = 1_000

/** A stream event as the log gives it. */
export interface LoggedEvent extends StreamEvent {
  /** The lobby as JSON in UTF-8. */
  readonly bytes: number
}

/** Properties of an event that decide its retention. */
export interface LogEntry {
  readonly version: number
  readonly at: Instant
  readonly bytes: number
  /** Bytes of all events of the log up to this one, since its beginning: those before may be forgotten. */
  readonly total: number
}

// Often enough that a log is never much longer than it should be, and each cut takes away about as much as came.
const EVENTS_BETWEEN_CUTS = STREAM_RETENTION.events / 8
const BYTES_BETWEEN_CUTS = STREAM_RETENTION.bytes / 8

/** Whether the commit of this event cuts its log by count and bytes; logs that were never long have no such event. */
export function isCutDue({ version, bytes, total }: Omit<LogEntry, 'at'>): boolean {
  if (version > STREAM_RETENTION.events && version % EVENTS_BETWEEN_CUTS === 0) return true
  const parts = (sum: number) => Math.floor(sum / BYTES_BETWEEN_CUTS)
  return total > STREAM_RETENTION.bytes && parts(total) > parts(total - bytes)
}

/**
 * How many events a log forgets, from its oldest on: up to the first that all three figures keep. Pass no instant to leave
 * their age out of it.
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
