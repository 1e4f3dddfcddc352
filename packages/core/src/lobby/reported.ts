import type { Lobby } from './lobby'

/** Part of a lobby that decides which presence its open streams report. */
export type Reported = Pick<Lobby, 'status' | 'isPrivate' | 'hostPlayerId'>

/**
 * Returns the members whose presence in the project the open streams of a lobby report. While the lobby searches: all, because absent parties are
 * not matched. While lists show the lobby to players who can join: the host, because lists pass over a lobby whose host is absent.
 */
export function reportedMembers({ status, isPrivate }: Reported): 'all' | 'host' | 'none' {
  if (status === 'in_queue') return 'all'
  return status === 'waiting' && !isPrivate ? 'host' : 'none'
}
