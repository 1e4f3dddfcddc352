/** Bounds of the event streams on a node. A stream itself holds only its place and one message. */
export interface StreamLimits {
  /**
   * Streams and waits at the same time on this node, open or being opened; more are refused with UNAVAILABLE. The clients of one project
   * hold fewer places than are free, so at most half; its backend and game servers together have the same bound. A node with one game needs
   * twice the places that its players use.
   */
  readonly open: number
  /**
   * Open streams of one API key, which usually belongs to a whole game. The callers of one address hold at most half of them, when
   * addresses differ.
   */
  readonly openPerKey: number
  /**
   * Bytes that wait for slow readers on this node; shared bytes count once. Above the bound, the reader that has waited longest is dropped.
   */
  readonly waitingBytes: number
  readonly waitingBytesPerKey: number
  /** Bytes of events kept in memory for the next readers; older events are read from the log again. */
  readonly recentBytes: number
  /**
   * Bytes of changes kept in memory for feed readers that are slightly behind; readers further behind get a gap. One project uses at most a
   * quarter.
   */
  readonly feedBytes: number
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = {
  open: 20_000,
  openPerKey: 10_000,
  waitingBytes: 128 * 1024 * 1024,
  waitingBytesPerKey: 32 * 1024 * 1024,
  recentBytes: 16 * 1024 * 1024,
  feedBytes: 16 * 1024 * 1024,
}

/** Events and bytes that a reader may miss while its socket is full; beyond them the reader is dropped (docs/http-api.md §7). */
export const MISSED = { events: 256, bytes: 4 * 1024 * 1024 } as const

/** Events and bytes of one read of a log, a page. A single event can have the bytes of a whole page. */
export const PAGE = { events: 100, bytes: 256 * 1024 } as const

/** Bounds of streams and waits of one caller. They allow a few, so that a client whose old connection is still open can reconnect. */
export const SEATS = {
  /** Open streams of one player's clients in one lobby, and as many that are being opened; beyond it the oldest ends. */
  streamsPerPlayer: 8,
  waitsPerPlayer: 8,
  /** Waits in one lobby by all clients that are not members; beyond it a new wait is refused. */
  strangersWaitsPerLobby: 256,
  /** Open streams of one game server; beyond it the oldest ends. */
  streamsPerServer: 4,
} as const
