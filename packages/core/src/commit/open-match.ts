import type { Account } from '../account/account'
import type { Region } from '../catalog/regions'
import type { Context } from '../context/context'
import { ServiceError } from '../errors/service-error'
import type { LobbyEvent } from '../lobby/events'
import type { Lobby } from '../lobby/lobby'
import type { Match, MatchTeam, MatchWait } from '../match/match'
import type { Queue, ServerSettings } from '../queue/queue'
import type { GameServer } from '../server/game-server'
import type { Decision } from '../shared/decision'
import type { Plan } from './draft'
import { jobs } from './jobs'
import { planServer } from './open-server'

export interface PlannedMatch {
  readonly match: Match
  readonly server: GameServer | null
  /** As the commit will leave them, in the order given. */
  readonly lobbies: readonly Lobby[]
}

export interface MatchDesign {
  readonly id: string
  readonly queue: Queue
  readonly account: Account
  /** Longest waiting first. */
  readonly lobbies: readonly Lobby[]
  readonly teams: readonly MatchTeam[]
  readonly region: Region
  /** The version that the players share, where the queue asks for one. */
  readonly gameVersion: string | null
  readonly waits: readonly MatchWait[]
  /** How each lobby enters the match: `lobby_matched` or `lobby_started`. */
  readonly enter: (lobby: Lobby) => Decision<LobbyEvent>
}

/**
 * A match in one commit: its lobbies, itself, its server and the job that launches it — or nothing. Without a version to launch
 * there is no server, and the match goes straight on to the game. Throws PLAN_LIMIT_EXCEEDED.
 */
export function planMatch(ctx: Context, plan: Plan, design: MatchDesign): PlannedMatch {
  const { queue, account } = design
  const versionTag = versionToLaunch(queue, design.gameVersion)
  const server =
    versionTag === undefined
      ? null
      : planServer(ctx, plan, account, {
          ...templateOf(queue.serverSettings ?? {}),
          projectId: queue.projectId,
          versionTag,
          region: design.region,
          matchId: design.id,
          queueId: queue.queueId,
        })
  const match = plan.create('match', matchOf(design, server, plan.at))
  const lobbies = design.lobbies.map((lobby) => {
    const decision = design.enter(lobby)
    if (!decision.ok) throw ServiceError.of(decision.rejected)
    return plan.lobby(lobby, decision.events)
  })
  if (server === null) plan.job(jobs.beginMatch(match, plan.at))
  plan.tell({ type: 'match_found', match }, queue.projectId)
  return { match, server, lobbies }
}

/** The build name to launch: the players' version takes the place of the template's (design, "Small print"). */
function versionToLaunch(queue: Queue, gameVersion: string | null): string | undefined {
  if (queue.serverSettings === null) return undefined
  return gameVersion ?? queue.serverSettings.versionTag
}

const templateOf = ({ tier, networkPorts, startupArgs, ttl, autoRestart, customData }: ServerSettings) => ({
  tier,
  networkPorts,
  startupArgs,
  ttlSeconds: ttl,
  autoRestart,
  customData,
})

function matchOf(design: MatchDesign, server: GameServer | null, at: number): Match {
  const { queue } = design
  return {
    id: design.id,
    version: 1,
    projectId: queue.projectId,
    accountId: design.account.id,
    queueId: queue.queueId,
    region: design.region,
    gameVersion: design.gameVersion,
    lobbyIds: design.lobbies.map((lobby) => lobby.id),
    teams: design.teams,
    settings: design.lobbies[0]?.settings ?? {},
    serverId: server?.id ?? null,
    waits: design.waits,
    createdAt: at,
    endedAt: null,
  }
}
