/** How much event streams may hold on a node, all in one place. What a stream itself holds is where it is, and one message. */
export interface StreamLimits {
  /**
   * Streams and waits at once, open or being opened, on this node. The clients of one project hold fewer of them than are left free, at
   * the most half, and so does its backend with its game servers: a node of one game is given twice what its players take. Past it:
   * UNAVAILABLE.
   */
  readonly open: number
  /** The same of one key, which is mostly a whole game. Callers of one address hold at most half of them, if an address tells them apart. */
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

/** What may pass a reader while it takes nothing at all; past it the reader is dropped (docs/http-api.md §7). */
export const MISSED = { events: 256, bytes: 4 * 1024 * 1024 } as const

/** What one reading of a log brings at the most: a page. One event may be as large as that by itself. */
export const PAGE = { events: 100, bytes: 256 * 1024 } as const

/** Streams and waits at once where a few do: a caller that left one behind comes back without being locked out by it. */
export const SEATS = {
  /** Of one player's client in one lobby, and as many that are being opened; past it the oldest ends. */
  streamsPerPlayer: 8,
  waitsPerPlayer: 8,
  /** Of all clients in one lobby that wait for it and are not in it; past it the newcomer is refused. */
  strangersWaitsPerLobby: 256,
  /** Of one game server; past it the oldest ends. */
  streamsPerServer: 4,
} as const
