/** Bounds of the event streams on a node. A stream itself stores only its position and one message. */
export interface StreamLimits {
  /**
   * Maximum number of streams and waiting calls on this node, open or being opened; further streams and calls are refused with UNAVAILABLE.
   * The clients of one project may hold at most as many as are still free, which is at most half of the number. The same bound holds for
   * the project's backend and game servers together. A node with only one game therefore needs twice the number that its players use.
   */
  readonly open: number
  /**
   * Maximum number of open streams of one API key, which usually belongs to a whole game. All callers of one address may hold at most half
   * of these streams, when addresses distinguish callers.
   */
  readonly openPerKey: number
  /**
   * Maximum bytes that wait for slow readers on this node. Bytes that several readers share count once. Above this number, the reader that
   * has waited for the longest time is disconnected.
   */
  readonly waitingBytes: number
  /** Maximum bytes that wait for slow readers of one API key on this node. */
  readonly waitingBytesPerKey: number
  /** Maximum bytes of events that are kept in memory for readers that request them later. Older events are read from the log again. */
  readonly recentBytes: number
  /**
   * Maximum bytes of changes that are kept in memory for readers of feeds that are slightly behind. Readers that are further behind get a
   * gap. One project uses at most a quarter of these bytes.
   */
  readonly feedBytes: number
}

/** Limits of streams on a node that sets none: 20,000 streams, 128 MiB for slow readers, and 16 MiB of kept events and changes each. */
export const DEFAULT_STREAM_LIMITS: StreamLimits = {
  open: 20_000,
  openPerKey: 10_000,
  waitingBytes: 128 * 1024 * 1024,
  waitingBytesPerKey: 32 * 1024 * 1024,
  recentBytes: 16 * 1024 * 1024,
  feedBytes: 16 * 1024 * 1024,
}

/**
 * Maximum events and bytes that a reader may miss while its socket is full. Above them the reader is disconnected (docs/http-api.md §7).
 */
export const MISSED = { events: 256, bytes: 4 * 1024 * 1024 } as const

/** Maximum events and bytes in one read (a page) of a log. A single event may have as many bytes as a whole page. */
export const PAGE = { events: 100, bytes: 256 * 1024 } as const

/**
 * Maximum number of streams and waiting calls of one caller. The maximum is above one, so that a client whose old connection is still open
 * can reconnect.
 */
export const SEATS = {
  /**
   * Maximum number of open streams of one player's clients in one lobby. As many again may be being opened. Above the maximum, the oldest
   * stream ends.
   */
  streamsPerPlayer: 8,
  waitsPerPlayer: 8,
  /** Maximum number of waiting calls in one lobby by all clients that are not members. Above it, a new call is refused. */
  strangersWaitsPerLobby: 256,
  /** Maximum number of open streams of one game server. Above it, the oldest stream ends. */
  streamsPerServer: 4,
  /** Maximum number of open streams of server logs of one project on one node. Above it, the oldest stream ends. */
  logStreamsPerProject: 16,
} as const
