import type { CallOptions } from '../../commit/call-options'
import { withRequest } from '../../commit/consequences/open-seats'
import { Draft } from '../../commit/draft'
import { enter } from '../../commit/enter'
import type { Outcome } from '../../commit/outcome'
import { ratedStates } from '../../commit/rated-states'
import { writeLobby } from '../../commit/rows/lobby'
import { writeMatch } from '../../commit/rows/match'
import { serverOfMatch } from '../../commit/server-of-match'
import { transact } from '../../commit/transact'
import { orThrow } from '../../errors/service-error'
import { hostOnly, joinRunningMatch } from '../../lobby/decide'
import { evolveLobby } from '../../lobby/evolve'
import type { Lobby } from '../../lobby/lobby'
import { playerIdsOf } from '../../lobby/members'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'
import { settleStates } from '../../lobby/trusted-state'
import { decideTakeSeat, isOfQueue, isPlayingIn, mayJoinLate } from '../../match/kept-seats'
import type { Match } from '../../match/match'
import { asHeld, type HeldPlayer, playersFree } from '../../match/one-match'
import { isMade } from '../../match/proposal'
import type { Service } from '../../node/service'
import { playsVersion } from '../../queue/decide'
import { fieldRightsOf } from '../../queue/field-rights'
import { heldConflict, heldOf } from '../../reads/live-matches'
import { lobbyNow, noSuchMatch, requireLobby, requireMatch, requireQueue } from '../../reads/require'

export interface JoinMatchInput extends OnLobbyByBackend {
  /** Id of the match: `mat_` and a ULID. */
  readonly matchId: string
}

/**
 * Lets a player take the seat of a running match that is kept for them: the lobby of this player alone becomes `starting`, and the player
 * is added to the match, in one commit. The commit expects the versions of the match and of the lobby. Two commits that give one seat
 * therefore conflict. A following commit makes the lobby `in_game`.
 */
export async function joinMatch(ctx: Service, input: JoinMatchInput, call?: CallOptions): Promise<Lobby> {
  const { projectId, lobbyId, playerId, backend } = input
  const by = backend || playerId === undefined ? { projectId } : { projectId, playerId }
  const lobby = await ctx.node.turns.run(lobbyId, () =>
    transact(
      ctx,
      call,
      () => join(ctx, input),
      ({ id }) => lobbyNow(ctx, by, id),
    ),
  )
  if (by.playerId !== undefined) await ctx.node.presence.touchMember(lobby, by.playerId, ctx.clock.now())
  return lobby
}

async function join(
  ctx: Service,
  { projectId, matchId, lobbyId, playerId, backend }: JoinMatchInput,
): Promise<Outcome<Lobby>> {
  const match = await requireMatch(ctx, projectId, matchId)
  if (!backend && !isMade(match)) noSuchMatch(matchId)
  const before = await requireLobby(ctx, projectId, lobbyId)
  if (!backend) orThrow(hostOnly(before, playerId))
  const draft = new Draft(ctx.clock.now())
  const by = { projectId, playerId: before.hostPlayerId, ...(backend ? {} : { client: { proven: {} } }) }
  const { into } = await enter(ctx, draft, by, playerIdsOf(before))
  const queue = await requireQueue(ctx, projectId, match.queueId)
  into(queue.queueId)
  draft.check('queue', queue)
  orThrow(mayJoinLate(match, queue))
  const settled = settleStates(before, fieldRightsOf(queue))
  const rated = await ratedStates(ctx, draft, queue, settled.reduce(evolveLobby, before))
  const dropped = [...settled, ...rated]
  const lobby = dropped.reduce(evolveLobby, before)
  orThrow(isOfQueue(match, lobby))
  const server = await serverOfMatch(ctx, draft, match)
  const entered = orThrow(joinRunningMatch(lobby, matchId, server))
  const taken = orThrow(decideTakeSeat(match, lobby, draft.at))
  orThrow(playersFree(await heldIn(ctx, match, lobby.hostPlayerId)))
  orThrow(playsVersion(queue, lobby.players[0], match.gameVersion))
  writeMatch(draft, match, await withRequest(ctx, match, taken, draft.at))
  const after = writeLobby(draft, before, [...dropped, ...entered])
  return {
    draft,
    answer: after,
    about: { id: after.id },
    onConflict: (conflict) => heldConflict(ctx, projectId, [lobby.hostPlayerId], conflict),
  }
}

/** Returns the player as held when the player is in this match already, or when another live match holds the player. */
async function heldIn(ctx: Service, match: Match, playerId: string): Promise<readonly HeldPlayer[]> {
  if (isPlayingIn(match, playerId)) return [asHeld(match, playerId)]
  return match.holdsPlayers === true ? heldOf(ctx, match.projectId, [playerId]) : []
}
