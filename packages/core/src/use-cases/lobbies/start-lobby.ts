import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { enter } from '../../commit/enter'
import { openMatch } from '../../commit/open-match'
import { quotaConflict, refuseOneTooMany } from '../../commit/open-server'
import type { Outcome } from '../../commit/outcome'
import { ratedStates } from '../../commit/rated-states'
import { transact } from '../../commit/transact'
import { accept } from '../../errors/decision'
import { orThrow } from '../../errors/service-error'
import { asSeenBy } from '../../lobby/as-seen'
import { decideStartLobby as decideStart, hostOnly } from '../../lobby/decide'
import { evolveLobby } from '../../lobby/evolve'
import type { Lobby } from '../../lobby/lobby'
import { isHost, playerIdsOf } from '../../lobby/members'
import type { ByClient, OnLobby } from '../../lobby/on-lobby'
import { settleStates } from '../../lobby/trusted-state'
import { knowsTeams, type StartTeams, seatDirectly } from '../../match/direct-teams'
import { playersFree } from '../../match/one-match'
import type { Service } from '../../node/service'
import { launchesServers } from '../../ports/none'
import type { CommitConflict } from '../../ports/storage/index'
import { admitVersion, buildToLaunch, versionOfParty } from '../../queue/decide'
import { fieldRightsOf } from '../../queue/field-rights'
import { claimsPlayers } from '../../queue/queue'
import { heldConflict, heldOf } from '../../reads/live-matches'
import { usualRegion } from '../../reads/machines'
import { qualityOf } from '../../reads/rating-of-match'
import { accountOf, lobbyNow, requireLobby, requireQueue } from '../../reads/require'

export interface StartLobbyInput extends OnLobby, ByClient {
  /** Teams of the match, see START_TEAMS. Default: `one`. */
  readonly teams?: StartTeams | undefined
}

export async function startLobby(ctx: Service, input: StartLobbyInput, call?: CallOptions): Promise<Lobby> {
  orThrow(knowsTeams(input.teams ?? 'one'))
  const lobby = await ctx.node.turns.run(input.lobbyId, () =>
    transact(
      ctx,
      call,
      () => start(ctx, input, call),
      ({ id }) => lobbyNow(ctx, input, id),
    ),
  )
  await ctx.node.presence.touchMember(lobby, input.playerId, ctx.clock.now())
  return asSeenBy(lobby, { playerId: input.playerId, backend: false })
}

async function start(ctx: Service, input: StartLobbyInput, call: CallOptions | undefined): Promise<Outcome<Lobby>> {
  const { projectId, lobbyId, playerId, teams = 'one' } = input
  const before = await requireLobby(ctx, projectId, lobbyId)
  // The limits of the plan are checked after the caller's right (docs/http-api.md §1). The state of the lobby is checked when the lobby
  // enters the match.
  orThrow(hostOnly(before, playerId))
  const draft = new Draft(ctx.clock.now())
  const playerIds = playerIdsOf(before)
  const { into } = await enter(ctx, draft, input, playerIds)
  const [account, queue] = await Promise.all([accountOf(ctx, before), requireQueue(ctx, projectId, before.queueId)])
  into(queue.queueId)
  draft.check('account', account).check('queue', queue)
  const id = ctx.ids.next('mat')
  const settled = settleStates(before, fieldRightsOf(queue))
  const rated =
    queue.ratedStarts === true ? await ratedStates(ctx, draft, queue, settled.reduce(evolveLobby, before)) : []
  const dropped = [...settled, ...rated]
  const party = dropped.reduce(evolveLobby, before)
  const gameVersion = versionOfParty(queue, hostOf(party))
  const begin = (lobby: Lobby) => {
    const started = decideStart(lobby, { by: playerId, matchId: id })
    return started.ok ? accept(...dropped, ...started.events) : started
  }
  const admitted = admitVersion(queue, lobbyId, gameVersion)
  const seated = seatDirectly(queue, party, teams)
  const free = playersFree(claimsPlayers(queue) ? await heldOf(ctx, projectId, playerIds) : [])
  const isRefused = !begin(before).ok || !free.ok || !admitted.ok || !seated.ok
  const launches = buildToLaunch(queue, gameVersion, launchesServers(ctx.orchestrator)) !== undefined
  if (isRefused && launches) await refuseOneTooMany(ctx, account)
  const quality = queue.ratedStarts === true && seated.ok ? await qualityOf(ctx, queue, seated.events) : {}
  const { lobbies } = openMatch(ctx, draft, {
    id,
    queue,
    account,
    lobbies: [before],
    teams: seated.ok ? seated.events : [],
    region: before.region ?? queue.serverSettings?.region ?? (await usualRegion(ctx)),
    gameVersion,
    waits: [],
    causes: [call?.trace],
    ...quality,
    enter: begin,
  })
  orThrow(free)
  orThrow(admitted)
  orThrow(seated)
  const onConflict = async (conflict: CommitConflict) =>
    (await quotaConflict(ctx, account)(conflict)) ?? (await heldConflict(ctx, projectId, playerIds, conflict))
  return { draft, answer: lobbies[0] ?? before, about: { id: before.id }, onConflict }
}

const hostOf = (lobby: Lobby) => lobby.players.find((player) => isHost(lobby, player.playerId))
