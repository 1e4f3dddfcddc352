/** Bounds of the event streams on a node, all in one place. A stream itself holds only its place and one message. */
export interface StreamLimits {
  /**
   * Streams and waits at once, open or being opened, on this node. The clients of one project hold fewer of them than are left free, at
   * the most half, and so does its backend with its game servers: a node of one game is given twice what its players take. Past it:
   * UNAVAILABLE.
   */
  readonly open: number
  /** Open streams of one key, which is mostly a whole game. Callers of one address hold at most half of them, where addresses differ. */
  readonly openPerKey: number
  /** Bytes that wait for readers who do not take them, shared ones once; past it the one that stalls longest is dropped. */
  readonly waitingBytes: number
  readonly waitingBytesPerKey: number
  /** Bytes of events kept for those who read them next; past it they are read from the log again. */
  readonly recentBytes: number
  /** Bytes of changes kept for readers of feeds who are a moment behind; past it they are told of a gap. Of one project a quarter. */
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

/** Events and bytes that may pass a reader which takes nothing; beyond them the reader is dropped (docs/http-api.md §7). */
export const MISSED = { events: 256, bytes: 4 * 1024 * 1024 } as const

/** Bounds of one read of a log: a page. A single event can reach the bytes of a page. */
export const PAGE = { events: 100, bytes: 256 * 1024 } as const

/** Streams and waits at once where a few do: a caller that left one behind comes back without being locked out by it. */
export const SEATS = {
  /** Streams of one player's client in one lobby, and as many that are being opened; beyond it the oldest ends. */
  streamsPerPlayer: 8,
  waitsPerPlayer: 8,
  /** Waits in one lobby by all clients that are no members; beyond it a new one is refused. */
  strangersWaitsPerLobby: 256,
  /** Streams of one game server; beyond it the oldest ends. */
  streamsPerServer: 4,
} as const
