import type { Instant } from '../shared/time'

/** Line that a game server wrote to one of its output streams. */
export interface ServerLogLine {
  readonly at: Instant
  readonly stream: 'stdout' | 'stderr'
  readonly message: string
}
