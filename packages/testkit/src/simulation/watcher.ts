import type { Lobby } from '@matchyard/core'
import { STREAM_RETENTION } from '@matchyard/core/ports'

/** A player that reads an event stream, and after each break resumes it with the id of the last event. */
export interface Watcher {
  readonly lobbyId: string
  readonly playerId: string
  /** Node from which the player reads now; undefined between two connections. */
  nodeId: string | undefined
  lastId: number | undefined
  /** Time of the commit of the last event that the player read. */
  lastAt: number
  /** Whether the stream has reported its end. */
  over: boolean
  /** Whether the next gap is allowed, because the storage returned to an earlier state. */
  mayStartOver: boolean
  readonly faults: string[]
}

export const newWatcher = (lobbyId: string, playerId: string): Watcher => ({
  lobbyId,
  playerId,
  nodeId: undefined,
  lastId: undefined,
  lastAt: 0,
  over: false,
  mayStartOver: false,
  faults: [],
})

/**
 * Records one message of the stream. After the first message, ids must continue without a gap, even when connections
 * broke in between. A gap is allowed only after a break that is longer than the retention of streams.
 */
export function take(watcher: Watcher, message: { event: string; id: number; lobby: Lobby }, now: number): void {
  const { lastId, lobbyId } = watcher
  const mayBeForgotten = watcher.lastAt < now - STREAM_RETENTION.ms
  if (message.lobby.version !== message.id) watcher.faults.push(`${lobbyId}: event ${message.id} shows another version`)
  const goesOn = lastId === undefined || (message.event !== 'connected' && message.id === lastId + 1)
  if (!goesOn && watcher.mayStartOver) watcher.mayStartOver = false
  else if (lastId !== undefined && message.event === 'connected' && !mayBeForgotten)
    watcher.faults.push(`${lobbyId}: a resume after ${lastId} was forgotten`)
  else if (lastId !== undefined && message.id !== lastId + 1 && !(mayBeForgotten && message.id > lastId)) {
    watcher.faults.push(`${lobbyId}: event ${message.id} came after ${lastId}`)
  }
  watcher.lastId = message.id
  watcher.lastAt = message.lobby.updatedAt
  const gone = !message.lobby.players.some((player) => player.playerId === watcher.playerId)
  if (gone || message.event === 'lobby_deleted') watcher.over = true
}
