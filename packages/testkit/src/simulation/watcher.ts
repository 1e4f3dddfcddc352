import type { Lobby } from '@matchyard/core'
import { STREAM_RETENTION } from '@matchyard/core/ports'

/** A player at an event stream, who resumes with the last id whenever it breaks. */
export interface Watcher {
  readonly lobbyId: string
  readonly playerId: string
  /** The node whose stream it reads now; undefined between two. */
  nodeId: string | undefined
  lastId: number | undefined
  /** When the last that it saw was committed. */
  lastAt: number
  /** Whether the stream said that it is over. */
  over: boolean
  /** Whether the next break in what it is told is no fault, because the storage went back. */
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
 * Takes one message: after the first, ids go on without a gap, whatever broke between. Only who was away for longer than logs
 * go back may find a part of them forgotten.
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
