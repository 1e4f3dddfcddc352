import { DEFAULT_REGION } from '../../catalog/regions'
import { Plan } from '../../commit/draft'
import { planMatch } from '../../commit/open-match'
import { quotaConflict } from '../../commit/open-server'
import { transact } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import type { OnLobby } from '../../context/inputs'
import { accountOf, requireLobby, requireProject, requireQueue } from '../../context/require'
import { ServiceError } from '../../errors/service-error'
import { startLobby as decideStart } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import { isHost } from '../../lobby/members'
import type { MatchTeam } from '../../match/match'
import type { Queue } from '../../queue/queue'

/**
 * The host starts a match of this lobby alone; the answer does not wait for the server.
 * Throws NOT_HOST, PLAN_LIMIT_EXCEEDED, INVALID_LOBBY_STATE.
 */
export async function startLobby(ctx: Context, input: OnLobby, call?: CallOptions): Promise<Lobby> {
  const lobby = await ctx.turns.run(input.lobbyId, () =>
    transact(ctx, call, async () => {
      const before = await requireLobby(ctx, input.projectId, input.lobbyId)
      const matchId = ctx.ids.next('mat')
      const decision = decideStart(before, { by: input.playerId, matchId })
      // The plan's gates are judged between the right and the state (contract §1); the state is, on entering the match.
      if (!decision.ok && decision.rejected.code === 'NOT_HOST') throw ServiceError.of(decision.rejected)
      const [project, account, queue] = await Promise.all([
        requireProject(ctx, input.projectId),
        accountOf(ctx, before),
        requireQueue(ctx, input.projectId, before.queueId),
      ])
      const plan = new Plan(ctx.clock.now()).check('project', project).check('account', account).check('queue', queue)
      const planned = planMatch(ctx, plan, {
        id: matchId,
        queue,
        account,
        lobbies: [before],
        teams: [teamOf(before)],
        region: before.region ?? queue.serverSettings?.region ?? DEFAULT_REGION,
        gameVersion: versionOfHost(before, queue),
        waits: [],
        enter: () => decision,
      })
      return { plan, answer: planned.lobbies[0] ?? before, onConflict: quotaConflict(account) }
    }),
  )
  await ctx.presence.touch(lobby.id, input.playerId, ctx.clock.now())
  return lobby
}

const teamOf = (lobby: Lobby): MatchTeam => ({
  name: 'team_1',
  players: lobby.players.map(({ playerId, state }) => ({
    playerId,
    lobbyId: lobby.id,
    role: null,
    state,
    leftAt: null,
  })),
})

function versionOfHost(lobby: Lobby, queue: Queue): string | null {
  if (queue.matchmaking?.useVersionFromState !== true) return null
  const version = lobby.players.find((player) => isHost(lobby, player.playerId))?.state.game_version
  return typeof version === 'string' ? version : null
}
