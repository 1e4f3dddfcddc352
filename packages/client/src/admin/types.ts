// Written by `npm run generate` from docs/openapi.json; not to be edited by hand.
import type { Region } from '../api/types'

export type {
  ApiKey,
  Arrival,
  Arrivals,
  AssignedPort,
  AssignedServer,
  AuditEntry,
  Backfill,
  BackfillSettings,
  Ban,
  BansSetBody,
  Budget,
  Build,
  BuildLogs,
  BuildsUpdateBody,
  Calibration,
  CreatedProject,
  Delivery,
  FoundPlayer,
  History,
  InitialSkill,
  Invitation,
  InviteCodeConfig,
  KeptProblem,
  KeysMintBody,
  LiveMatch,
  Machine,
  MachinesDrainBody,
  MachinesMintTokenBody,
  MadeInvitation,
  MatchResult,
  MatchRule,
  MatchesAssignBody,
  MatchesBackfillBody,
  MatchesResultBody,
  Matchmaking,
  Member,
  MembersInviteBody,
  MembersSetRoleBody,
  Membership,
  MintedApiKey,
  MintedMachineToken,
  PlayerAuth,
  PlayerCooldown,
  PlayerExit,
  PlayerIssuer,
  PlayerIssuerSettings,
  PlayerSearch,
  PortRequest,
  ProblemsAcknowledgeBody,
  ProblemsMuteBody,
  Project,
  ProjectMembers,
  ProjectProblem,
  ProjectsCreateBody,
  ProjectsSetBudgetBody,
  ProjectsSetPlayerAuthBody,
  Queue,
  QueueHistoryEntry,
  QueueSettings,
  QueueStats,
  QueuesCreateBody,
  QueuesUpdateBody,
  Rating,
  RatingDisplaySettings,
  RatingParamsSettings,
  RatingsSetBody,
  RatingsStartSeasonBody,
  ReadyCheck,
  RuleExpansion,
  Season,
  Secret,
  Server,
  ServerCrash,
  ServerLogs,
  ServerSettings,
  ServersCreateBody,
  StoppedServers,
  Tier,
  Usage,
  WarmSettings,
  Webhook,
  WebhookWithSecret,
  WebhooksCreateBody,
  WebhooksUpdateBody,
} from '../api/types'

/** Filter of `builds.list`. */
export interface ListBuilds {
  /** Only builds of this name. */
  readonly name?: string | undefined
  /** Only builds in this status; `deleted` builds only when requested. */
  readonly status?: 'uploading' | 'processing' | 'ready' | 'failed' | 'deleted' | undefined
  /** Only builds of this kind: archives or container images. */
  readonly buildType?: 'zip' | 'docker_image' | undefined
}

/** Filter of `servers.list`. */
export interface ListServers {
  /** Only servers in this status. */
  readonly status?: 'launching' | 'running' | 'stopping' | 'stopped' | 'failed' | undefined
  /** Only servers in this region. */
  readonly region?: Region | undefined
  /** Only the server of this match. */
  readonly matchId?: string | undefined
  /** Only servers of builds of this name. */
  readonly versionTag?: string | undefined
  /** Only servers of this build. */
  readonly buildId?: string | undefined
  /** Only servers of this build: its name, `@` and its version, such as `arena@3`. */
  readonly buildVersion?: string | undefined
  /** Only servers that ended, or are stopping, for this cause. */
  readonly endReason?: 'launch_failed' | 'build_missing' | 'no_room' | 'match_ended' | 'server_stopped' | 'server_failed' | 'server_expired' | undefined
}

/** Filter of `lobbies.list`. */
export interface ListLobbies {
  /** Only lobbies of this queue. */
  readonly queueId?: string | undefined
  /** Only lobbies in this status. */
  readonly status?: 'waiting' | 'in_queue' | 'matched' | 'starting' | 'in_game' | undefined
  /** Only lobbies that requested this region. */
  readonly region?: Region | undefined
  /** Whether private lobbies are included; for server keys only. */
  readonly includePrivate?: boolean | undefined
}

/** Filter of `matches.list`. */
export interface ListMatches {
  /** Only matches of this queue. */
  readonly queueId?: string | undefined
  /** Only matches in this status. */
  readonly status?: 'proposed' | 'launching' | 'running' | 'ended' | undefined
  /** Only matches in which this player is or was. */
  readonly playerId?: string | undefined
  /** Only matches that ended for this reason. */
  readonly endReason?: 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable' | 'launch_failed' | 'no_room' | 'build_missing' | 'match_ended' | 'server_stopped' | 'server_failed' | 'server_expired' | 'backend_ended' | 'matched_elsewhere' | 'banned' | 'match_expired' | undefined
  /** Only matches whose server ran this build; for server keys and sessions. */
  readonly buildId?: string | undefined
  /** Only matches whose server ran this build: its name, `@` and its version, such as `arena@3`; for server keys and sessions. */
  readonly buildVersion?: string | undefined
  /** Only matches that were made at or after this instant. */
  readonly from?: string | undefined
  /** Only matches that were made before this instant. */
  readonly to?: string | undefined
}

/** Filter of `audit.list`. */
export interface ListAudit {
  /** Only changes by this call, for example `queues.update`. */
  readonly operation?: string | undefined
  /** Only changes by this account, session or key, or by `operator` for commands of operators. */
  readonly actor?: string | undefined
  /** Only changes of the thing or the player with this id. */
  readonly target?: string | undefined
}
