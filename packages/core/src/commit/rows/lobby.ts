import { endedStay } from '../../lobby/arrival'
import { endingOf } from '../../lobby/ending'
import type { LobbyEvent } from '../../lobby/events'
import { endsLobby, evolveLobbyAll } from '../../lobby/evolve'
import type { Lobby } from '../../lobby/lobby'
import { ticketOf } from '../../lobby/queue-ticket'
import { exitFigure } from '../../ports/storage/index'
import { holdOf } from '../../queue/invite-code'
import { type Queue, queueKey } from '../../queue/queue'
import { queueLobbyCounter } from '../counters'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'
import { jobs } from '../jobs'

/** Adds a new lobby to the queue, with its first stream event and its follow-up jobs. */
export function putLobby(draft: Draft, lobby: Lobby, queue: Queue): Lobby {
  draft.create('lobby', lobby)
  draft.counter(queueLobbyCounter(keyOf(lobby)), 1).stream('lobby_updated', lobby)
  tellAbout(draft, lobby, [{ type: 'lobby_created', lobby }])
  draft.job(...followUps.lobbyMade(lobby, queue, draft.at))
  return lobby
}

/**
 * Applies events to a lobby: adds its row, its ticket, the arrival of a stay in a queue that ended, one stream event and the follow-up jobs
 * to the draft. Returns the next state.
 */
export function writeLobby(draft: Draft, before: Lobby, events: readonly LobbyEvent[]): Lobby {
  const after = evolveLobbyAll(before, events, draft.at)
  if (after === before) return before
  const deleted = endsLobby(events)
  if (deleted) draft.remove('lobby', before)
  else draft.replace('lobby', before, after)
  writeTicket(draft, before, after)
  const ended = endedStay(before, after, events)
  if (ended !== undefined) draft.end(before, ended)
  const moves = keyOf(after) !== keyOf(before)
  if (deleted || moves) draft.counter(queueLobbyCounter(keyOf(before)), -1)
  if (!deleted && moves) draft.counter(queueLobbyCounter(keyOf(after)), 1)
  if (before.inviteCode !== null && (deleted || after.inviteCode !== before.inviteCode)) {
    const hold = draft.create('invite-hold', holdOf(before, before.inviteCode, draft.at))
    draft.job(jobs.releaseInviteCode(hold.id, before.accountId, hold.until))
  }
  const exit = after.lastExit ?? null
  if (!deleted && exit !== null && endingOf(events) !== undefined) {
    draft.figure(exitFigure(keyOf(after), exit.reason, exit.at))
  }
  draft.stream(deleted ? 'lobby_deleted' : 'lobby_updated', after)
  tellAbout(draft, after, events)
  return after
}

function writeTicket(draft: Draft, before: Lobby, after: Lobby): void {
  const [was, is] = [before.ticket, after.ticket]
  if (was !== null && was.id !== is?.id) draft.remove('ticket', was)
  if (is === null || (was?.id === is.id && was.version === is.version)) return
  const put = ticketOf(after, is)
  if (was?.id === is.id) draft.replace('ticket', was, put)
  else draft.create('ticket', put)
}

function tellAbout(draft: Draft, lobby: Lobby, events: readonly LobbyEvent[]): void {
  const { id: lobbyId, projectId, queueId } = lobby
  for (const event of events) {
    draft.tell({ ...event, projectId, lobbyId, queueId }).job(...followUps.lobby(lobby, event, draft.at))
  }
}

const keyOf = (lobby: Lobby) => queueKey(lobby.projectId, lobby.queueId)
