import type { Ban, Lobby } from '@matchyard/core'
import { proposalOf } from '@matchyard/core/domain'
import { type Invariant, textOf, type View } from './invariant'

/** Returns the bans that were in force during the whole time between the last two checks. */
const steadyBans = ({ now, before }: View): Ban[] =>
  [...(before?.bans.values() ?? [])].filter((ban) => {
    const still = now.bans.get(ban.id)
    return still !== undefined && textOf(still) === textOf(ban) && (ban.until === null || ban.until > now.at)
  })

/** Whether a lobby went from `waiting` into the queue or a match, or from the queue into a match or a proposal. */
function entered(was: Lobby, is: Lobby): boolean {
  if (was.status === 'waiting') return is.status === 'in_queue' || is.status === 'starting'
  if (was.status !== 'in_queue') return false
  return is.status === 'matched' || (proposalOf(was) === undefined && proposalOf(is) !== undefined)
}

const holds = (lobby: Lobby | undefined, playerId: string | null) =>
  lobby?.players.some((player) => player.playerId === playerId) === true

/** Invariant: while a ban is in force, its player enters no lobby, and no lobby with the player enters a queue or a match. */
export const nobodyBannedEnters: Invariant = (view) => {
  const bans = steadyBans(view)
  if (bans.length === 0) return []
  return [...view.now.lobbies.values()].flatMap(({ id }) => {
    const known = view.before?.lobbies.get(id)?.version ?? 0
    const events = view.history.get(id) ?? []
    return events.flatMap(({ version, lobby }, index) => {
      if (version <= known) return []
      const was = events[index - 1]?.lobby
      return bans
        .filter(({ queues }) => queues === null || queues.includes(lobby.queueId))
        .filter(({ playerId }) => holds(lobby, playerId))
        .filter(({ playerId }) => !holds(was, playerId) || (was !== undefined && entered(was, lobby)))
        .map(({ playerId }) => `${playerId} is banned, and enters with ${id} (${lobby.status}, version ${version})`)
    })
  })
}

/** Invariant: the row of the project has the number of its bans. While the number is 0, the service looks up no ban. */
export const bansAreCounted: Invariant = ({ now }) =>
  now.banCount === now.bans.size ? [] : [`the project counts ${now.banCount} bans and has ${now.bans.size}`]
