import type { Lobby, Queue } from '@matchyard/core'
import { proposalOf, unprovenOf } from '@matchyard/core/domain'
import { queueKey } from '@matchyard/core/ports'
import type { Invariant, View } from './invariant'
import { vouchedText } from './snapshot'

type Players = Lobby['players']

const queueOf = ({ queues }: View['now'], { projectId, queueId }: Lobby): Queue | undefined =>
  queues.get(queueKey(projectId, queueId))

/** Returns the queue of a lobby if the queue has not changed since the last check; otherwise undefined. */
function steadyQueue({ now, before }: View, lobby: Lobby): Queue | undefined {
  const queue = queueOf(now, lobby)
  return queue !== undefined && before?.queues.get(queue.id)?.version === queue.version ? queue : undefined
}

const fieldsOf = (queue: Queue | undefined) => queue?.trustedFields ?? []

const unprovenIn = (players: Players, queue: Queue | undefined) =>
  players.flatMap((player) =>
    unprovenOf(player, fieldsOf(queue)).map(
      (field) => `${field} ${JSON.stringify(player.state[field])} of ${player.playerId}`,
    ),
  )

/**
 * Invariant: the project's backend wrote or signed each proven value in a lobby for that player. In a queue that trusts
 * a field, an unproven value is allowed only if it was there before.
 */
export const aTrustedValueIsProven: Invariant = (view) =>
  [...view.now.lobbies.values()].flatMap((lobby) => {
    const was = view.before?.lobbies.get(lobby.id)
    // An unchanged lobby needs no new check: a value that a backend wrote or signed stays proven.
    if (was === lobby) return []
    const { vouched } = view.now
    const untrue = lobby.players.flatMap(({ playerId, state, proven = [] }) =>
      [...vouched]
        .filter(([field, values]) => proven.includes(field) && !values.has(vouchedText(playerId, state[field] ?? null)))
        .map(([field]) => `${lobby.id} holds ${field} ${JSON.stringify(state[field])} of ${playerId} as proven`),
    )
    const queue = steadyQueue(view, lobby)
    const left = was?.queueId === lobby.queueId ? unprovenIn(was.players, queue) : []
    const written = unprovenIn(lobby.players, queue).filter((one) => !left.includes(one))
    return [...untrue, ...written.map((one) => `${lobby.id} holds ${one}, and a client wrote it`)]
  })

/** Invariant: no lobby enters a match or a proposal with an unproven value of a trusted field. */
export const nobodyIsMatchedByAnUnprovenValue: Invariant = (view) =>
  [...view.now.lobbies.values()].flatMap((lobby) => {
    const was = view.before?.lobbies.get(lobby.id)
    const isNew = was !== undefined && matchOf(was) === undefined && matchOf(lobby) !== undefined
    if (!isNew) return []
    return unprovenIn(lobby.players, steadyQueue(view, lobby)).map((one) => `${lobby.id} is matched by ${one}`)
  })

const matchOf = (lobby: Lobby): string | undefined => lobby.matchId ?? proposalOf(lobby)?.matchId
