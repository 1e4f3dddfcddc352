// Exports for embedding applications: the service, and every type that its calls use. Adapters import their ports from
// `@matchyard/core/ports`, and property tests import the deciders from `@matchyard/core/domain`. Pools and rules are in
// `@matchyard/matchmaking`. `docs/measures/exports.txt` lists the exports of all three, so that a reviewer sees each new name.

export type {
  ConfigIssue,
  Explanation,
  MatchmakingConfig,
  MatchRule,
  MissingPlace,
  RuleExpansion,
  RuleExplanation,
} from '@matchyard/matchmaking'
export { ACTOR_KINDS, type Actor, type ActorKind } from './access/actor'
export type { Caller, CredentialKind } from './access/caller'
export type { Grant, HeldGrants } from './access/grant'
export type { OwnedBy } from './access/owner'
export type { Permission } from './access/permission'
export type { Account, PaymentMethod, PlanInterval } from './account/account'
export type { OnAccount } from './account/on-account'
export type { PendingFactor, SecondFactor, WrongCodes } from './account/second-factor'
export type { Session } from './account/session'
export type * from './agent/protocol'
export {
  AUDITED_KINDS,
  type AuditActor,
  type AuditChange,
  type AuditEntry,
  type AuditedKind,
  type AuditField,
  type AuditTarget,
} from './audit/entry'
export type { Ban } from './ban/ban'
export type { BanWish } from './ban/new-ban'
export type { Spending } from './billing/spending'
export type { Usage } from './billing/usage'
export {
  BUILD_STATUSES,
  BUILD_TYPES,
  type Build,
  type BuildLogLine,
  type BuildName,
  type BuildStatus,
  type BuildType,
} from './build/build'
export type { HistorySeries, HistoryStep } from './catalog/history-series'
export { MESSAGE_TYPES, type MessageType, type SentMessageType } from './catalog/message-types'
export {
  type AccountTariff,
  DEFAULT_PLAN,
  PLAN_CHOICES,
  PLANS,
  type Plan,
  type PlanChoice,
  type PlanLimits,
  SELF_HOSTED,
  UNLIMITED,
} from './catalog/plans'
export { DEFAULT_PRICES, type PriceTable } from './catalog/prices'
export { ALL_REGIONS, DEFAULT_REGION, isRegion, REGIONS, type Region } from './catalog/regions'
export { ROLES, type Role } from './catalog/roles'
export { DEFAULT_TIER, TIER_SIZES, TIERS, type Tier, type TierSize } from './catalog/tiers'
export type { AuditRule } from './commit/audit'
export type { CallOptions } from './commit/call-options'
export { HELD_BY, type HeldBy } from './commit/hold'
export type { OnMatch } from './commit/of-match'
export type { MintedKey } from './commit/rows/api-key'
export type { ConsumedMessage, ConsumeHandler } from './consumer/message'
export type { QueueExplanation } from './director/explain'
export type { Tick } from './director/run-queue'
export { ERROR_CATALOGUE, type ErrorCode } from './errors/catalogue'
export type { ErrorKind, ErrorRetry, ErrorRow } from './errors/error-row'
export { ServiceError, type ValidationIssue, validationFailed } from './errors/service-error'
export { ARRIVAL_OUTCOMES, type ArrivalOutcome, type ArrivedPlayer } from './lobby/arrival'
export type { DepartureReason, LobbyChanges, LobbyDeletedReason, QueueLeftReason } from './lobby/events'
export type { SettingsFilter, SettingValue } from './lobby/labels'
export { EXIT_REASONS, type ExitReason, type LobbyExit } from './lobby/last-exit'
export { LOBBY_STATUSES, type Lobby, type LobbyPlayer, type LobbyStatus, type LobbyTicket } from './lobby/lobby'
export type { ByClient, OnLobby, OnLobbyByBackend } from './lobby/on-lobby'
export { type LobbyProposal, PROPOSAL_ANSWERS, type ProposalAnswer } from './lobby/proposal'
export type { QueueTicket, TicketRequest } from './lobby/queue-ticket'
export type { ClientWord } from './lobby/trusted-state'
export type { Beacon, MachineBeacon, ServedRegion } from './machine/beacon'
export type { RoomInUse } from './machine/limits'
export { type MachineLoad, PLACEMENTS, type Placement, REGION_FALLBACKS, type RegionFallback } from './machine/machine'
export {
  MACHINE_KINDS,
  MACHINE_STATUSES,
  type MachineFacts,
  type MachineKind,
  type MachineRecord,
  type MachineRest,
  type MachineStatus,
} from './machine/record'
export type { AssignedPort, Assignment } from './match/assignment'
export type { BackfillWish, WantedSeats } from './match/backfill'
export { START_TEAMS, type StartTeams } from './match/direct-teams'
export {
  type BackfillRequest,
  type ExternalServer,
  type KeptSeat,
  MATCH_STATUSES,
  type Match,
  type MatchBuild,
  type MatchPlayer,
  type MatchProposal,
  type MatchStatus,
  type MatchTeam,
  type MatchWait,
  type OpenSeats,
  PROPOSAL_OUTCOMES,
  type ProposalOutcome,
  type TeamSeats,
} from './match/match'
export {
  type MatchResult,
  type PlayerResult,
  RESULT_AUTHORS,
  type ReportedResult,
  type ResultAuthor,
  type ResultReport,
  type TeamResult,
} from './match/result'
export { createMatchyard } from './matchyard'
export type { Invitation } from './member/invitation'
export type { Member, MemberKey } from './member/member'
export type { DomainEvent, DomainEventMap, DomainEventType } from './node/domain-events'
export type { Access } from './operations/access-calls'
export type { Accounts } from './operations/accounts'
export type { AgentCalls } from './operations/agent-calls'
export type { Audit } from './operations/audit'
export type { Bans } from './operations/bans'
export type { Billing } from './operations/billing'
export type { Builds } from './operations/builds'
export type { AnyGame, GameTypes, SettingsOf, StateOf } from './operations/game-types'
export type { HistoryCalls } from './operations/history'
export type { FeedView, LobbyMessages } from './operations/in-game'
export { OPERATIONS, type Operation, type OperationFacts } from './operations/index'
export type { Keys } from './operations/keys'
export type { Lobbies } from './operations/lobbies'
export type { Machines } from './operations/machines'
export type { Matches } from './operations/matches'
export type { Matchmaking } from './operations/matchmaking'
export type { Members } from './operations/members'
export type { ProjectCalls } from './operations/of-project'
export type { Players } from './operations/players'
export type { Problems } from './operations/problems'
export type { Projects } from './operations/projects'
export type { Queues } from './operations/queues'
export type { Ratings } from './operations/ratings'
export type { Regions } from './operations/regions'
export type { SecondFactorCalls } from './operations/second-factor'
export type { Secrets } from './operations/secrets'
export type { Servers } from './operations/servers'
export type { Calls, DomainEventsOf, Matchyard, WorkerSteps } from './operations/service'
export type { Sessions } from './operations/sessions'
export type { LobbyPlayerView, LobbyView, MatchPlayerView, MatchTeamView, MatchView } from './operations/views'
export type { Webhooks } from './operations/webhooks'
export type { KeptProblem, ListedProblem, ProblemAcknowledgement, ProblemMute } from './problem/kept-problem'
export { API_KEY_TYPES, type ApiKey, type ApiKeyType } from './project/api-key'
export type { ConsumedType, Consumer } from './project/consumer'
export type { InProject } from './project/in-project'
export {
  type IssuerKeys,
  type IssuerWish,
  PLAYER_AUTH_MODES,
  type PlayerAuth,
  type PlayerAuthMode,
  type PlayerIssuer,
  PROOF_ALGORITHMS,
  type ProofAlgorithm,
} from './project/player-auth'
export type { PlayerProof } from './project/player-token'
export {
  type BudgetFigures,
  CRASH_TRENDS,
  type CrashTrend,
  type CrashWave,
  PROBLEM_CODES,
  PROBLEM_SEVERITIES,
  PROBLEM_SUBJECTS,
  type ProblemCode,
  type ProblemDetails,
  type ProblemSeverity,
  type ProblemSubject,
  type ProjectProblem,
} from './project/problem'
export type { Listener, Project } from './project/project'
export type { SecretEntry } from './project/secret'
export type { Cooldown } from './queue/cooldown'
export {
  DEFAULT_INVITE_CODE_CONFIG,
  INVITE_CHARSETS,
  type InviteCharset,
  type InviteCodeConfig,
  type InviteHold,
} from './queue/invite-code'
export { BACKFILL_PRIORITIES, type BackfillSettings, type QueueMatchmaking, type ReadyCheck } from './queue/matchmaking'
export type { OnQueue } from './queue/on-queue'
export {
  HOST_LEAVE_BEHAVIORS,
  type HostLeaveBehavior,
  QUEUE_DEFAULTS,
  type Queue,
  type QueueConfig,
  type QueueSettings,
} from './queue/queue'
export type { QueueHistoryEntry } from './queue/queue-version'
export { SERVER_SOURCES, type ServerSettings, type ServerSource, type WarmSettings } from './queue/server-settings'
export type { Calibration, CalibrationBucket } from './rating/calibration'
export type { CountedMatch, CountedTeam, RatedOutcome } from './rating/match-teams'
export type { RatingWish } from './rating/new-rating'
export type { MatchQuality } from './rating/predict'
export {
  RATING_MODELS,
  type Rating,
  type RatingDisplay,
  type RatingModel,
  type RatingParams,
  type Season,
  type Skill,
} from './rating/rating'
export type { ShownStanding, Standing } from './rating/standing'
export type { LobbyAnswer } from './reads/lobby-warnings'
export type { MachineState } from './reads/machine-states'
export type { ByPerson } from './reads/members'
export type { ListedProject } from './reads/own-projects'
export type { QueueAnswer } from './reads/queue-warnings'
export type { SpreadPercentiles } from './reads/spread-buckets'
export type { WaitPercentiles } from './reads/wait-buckets'
export type { MatchOnServer } from './reads/with-servers'
export type { ReceiveUploadInput } from './runtime/receive-upload'
export type { ServerCrash } from './server/crash'
export { END_CAUSES, type EndCause } from './server/end-causes'
export {
  type GameServer,
  LIVE_SERVER_STATUSES,
  type PortMapping,
  type PortRequest,
  PROTOCOLS,
  type Protocol,
  SERVER_STATUS_REASONS,
  SERVER_STATUSES,
  type ServerRoom,
  type ServerStatus,
  type ServerStatusReason,
  type ServerSummary,
  type Transport,
} from './server/game-server'
export { READINESS, type Readiness } from './server/readiness'
export type { MatchyardOptions } from './setup/options'
export type { Changed } from './shared/changed'
export type { JsonObject, JsonValue } from './shared/json'
export type { Page, PageRequest } from './shared/page'
export type { Stretch } from './shared/place'
export type { Instant, Month } from './shared/time'
export {
  type CancelSignal,
  DEFAULT_STREAM_LIMITS,
  type EventStream,
  type Feed,
  type FeedChange,
  type FeedData,
  type FeedFigures,
  type FeedMessage,
  type FeedOptions,
  type FeedPage,
  type FeedStream,
  type FollowLogInput,
  type LobbyStream,
  type LogMessage,
  type LogStream,
  type PollLobbyInput,
  type ServerMessage,
  type ServerStream,
  type StreamLimits,
  type StreamMessage,
  type WatchLobbyInput,
  type WatchServerInput,
} from './streams/index'
export type {
  Credentials,
  GameServerCaller,
  IdentifiedPlayer,
  IdentifyPlayerInput,
  KeyCaller,
  ProvePlayerInput,
  SessionCaller,
} from './use-cases/access/index'
export type { AccountProfile } from './use-cases/accounts/account-profile'
export type { CreateAccountInput, CreatedAccount, FirstProject } from './use-cases/accounts/create-account'
export type { EndSessionInput } from './use-cases/accounts/end-session'
export type { JoinAnewInput, Joined, JoinedAnew, JoinInput } from './use-cases/accounts/join'
export type { ListedAccount } from './use-cases/accounts/list-accounts'
export type { ListedSession, ListSessionsInput, SessionPage } from './use-cases/accounts/list-sessions'
export type { LoginInput } from './use-cases/accounts/login'
export type { OfSession } from './use-cases/accounts/refresh-session'
export type { RegisterInput } from './use-cases/accounts/register'
export type {
  ActivatedFactor,
  BeginFactorInput,
  BegunFactor,
  FactorCodeInput,
  FactorState,
} from './use-cases/accounts/second-factor'
export type { SessionGrant } from './use-cases/accounts/session-grant'
export type { SetPasswordInput } from './use-cases/accounts/set-password'
export type { SignInInput } from './use-cases/accounts/sign-in'
export type { AuditPage, ListAuditInput } from './use-cases/audit/list-audit'
export type { GetBanInput, ListBansInput, ProjectBans } from './use-cases/bans/read-bans'
export type { SetBanInput } from './use-cases/bans/set-ban'
export type { DowngradeInput } from './use-cases/billing/downgrade'
export type { GetUsageInput } from './use-cases/billing/get-usage'
export type { PlanStatus } from './use-cases/billing/plan-status'
export type { ReplacePaymentMethodInput } from './use-cases/billing/replace-payment-method'
export type { SetPlanInput } from './use-cases/billing/set-plan'
export type { UpgradeInput } from './use-cases/billing/upgrade'
export type { CreatedUpload, CreateUploadInput } from './use-cases/builds/create-upload'
export type { BuildLogs, ListBuildsInput, OnBuild } from './use-cases/builds/read-builds'
export type { RegisterImageInput } from './use-cases/builds/register-image'
export type { StoppedServers } from './use-cases/builds/stop-servers'
export type { UpdateBuildInput } from './use-cases/builds/update-build'
export type { Consumption } from './use-cases/consumers/consume-messages'
export type { ConsumeInput, OfConsumer } from './use-cases/consumers/register-consumer'
export type { HistoryPoint } from './use-cases/history/points'
export type { History, HistoryLine, ReadHistoryInput } from './use-cases/history/read-history'
export type { ListKeysInput } from './use-cases/keys/list-keys'
export type { MintKeyInput } from './use-cases/keys/mint-key'
export type { RevokeKeyInput } from './use-cases/keys/revoke-key'
export type { BanPlayerInput } from './use-cases/lobbies/ban-player'
export type { BrowsedLobbies, BrowseLobbiesInput } from './use-cases/lobbies/browse-lobbies'
export type { CreateLobbyInput } from './use-cases/lobbies/create-lobby'
export type { EndMatchInput } from './use-cases/lobbies/end-match'
export type { JoinByCodeInput, JoinLobbyInput } from './use-cases/lobbies/join-lobby'
export type { RemovePlayerInput } from './use-cases/lobbies/leave-lobby'
export type { LobbiesOfPlayerInput } from './use-cases/lobbies/lobbies-of-player'
export type { LobbiesOfProjectInput, ProjectLobbies } from './use-cases/lobbies/lobbies-of-project'
export type { AnswerInput } from './use-cases/lobbies/proposal-answers'
export type { QuickJoined, QuickJoinInput } from './use-cases/lobbies/quick-join-input'
export type { StartLobbyInput } from './use-cases/lobbies/start-lobby'
export type { ChangedPlayer, UpdatePlayerInput } from './use-cases/lobbies/update-player'
export type { UpdateSettingsInput } from './use-cases/lobbies/update-settings'
export type { DrainInput } from './use-cases/machines/change-machine'
export type { MintedMachineToken, MintMachineTokenInput } from './use-cases/machines/mint-token'
export type { OnMachine } from './use-cases/machines/read-machines'
export type { ByOperator } from './use-cases/machines/require-operator'
export type { AssignedServer, AssignServerInput } from './use-cases/matches/assign-server'
export type { Backfill, BackfillInput } from './use-cases/matches/backfill'
export type { EndWithResultInput } from './use-cases/matches/end-with-result'
export type { GetMatchInput } from './use-cases/matches/get-match'
export type { IssueJoinTokenInput, JoinToken } from './use-cases/matches/issue-join-token'
export type { JoinMatchInput } from './use-cases/matches/join-match'
export type { FreeSeatInput, KeepSeatInput, SeatOfPlayer, SeatWish } from './use-cases/matches/keep-seat'
export type { ListMatchesInput } from './use-cases/matches/list-matches'
export type { RecordResultInput, ResultWish, SelfResultInput } from './use-cases/matches/record-result'
export type { SelfBackfillInput } from './use-cases/matches/self-backfill'
export type { PlayerLeftInput } from './use-cases/matches/self-roster'
export type { SelfFreeSeatInput, SelfKeepSeatInput } from './use-cases/matches/self-seats'
export type { CancelInvitationInput } from './use-cases/members/cancel-invitation'
export type { InviteInput, MadeInvitation } from './use-cases/members/invite'
export type { ListedInvitation, ListedMember, ListedMembers } from './use-cases/members/list-members'
export { KEYS_AT_REMOVAL, type KeysAtRemoval, type RemoveMemberInput } from './use-cases/members/remove-member'
export type { Membership, SetRoleInput } from './use-cases/members/set-role'
export type { ErasePlayerInput } from './use-cases/players/erase-player'
export type { PlayerExit } from './use-cases/players/exits-of-player'
export type { FindPlayerInput, FoundPlayer } from './use-cases/players/find-player'
export type { LiveMatch, OfPlayer, OwnSearch, PlayerNow } from './use-cases/players/player-now'
export type { ProjectBudget, SetBudgetInput } from './use-cases/projects/budget'
export type { CreatedProject, CreateProjectInput } from './use-cases/projects/create-project'
export type { DeleteProjectInput } from './use-cases/projects/delete-project'
export type { EnsureProjectInput } from './use-cases/projects/ensure-project'
export type { ListProjectsInput } from './use-cases/projects/list-projects'
export type { OnOwnProject, SetPlayerAuthInput, ShownIssuer, ShownPlayerAuth } from './use-cases/projects/player-auth'
export type { CreateQueueInput } from './use-cases/queues/create-queue'
export type { ArrivalsPage, ListArrivalsInput, RecordedArrival } from './use-cases/queues/list-arrivals'
export type { QueueHistoryInput, RestoreQueueInput } from './use-cases/queues/queue-history'
export type { QueueStats } from './use-cases/queues/queue-stats'
export type { ListQueuesInput } from './use-cases/queues/read-queues'
export type { UpdateQueueInput } from './use-cases/queues/update-queue'
export type { Leaderboard, LeaderboardInput } from './use-cases/ratings/leaderboard'
export type { ListRatingsInput, RatingsOfPlayerInput } from './use-cases/ratings/read-ratings'
export type { ListSeasonsInput, StartSeasonInput } from './use-cases/ratings/seasons'
export type { OnRating, SetRatingInput } from './use-cases/ratings/set-rating'
export type { FactorSeals, SecretSeals } from './use-cases/secrets/seal-anew'
export type { OnSecret, SetSecretInput } from './use-cases/secrets/set-secret'
export type { CreateServerInput } from './use-cases/servers/create-server'
export type { ListServersInput, OnServer } from './use-cases/servers/read-servers'
export type { SelfCall } from './use-cases/servers/self-server'
export type { CreateWebhookInput } from './use-cases/webhooks/create-webhook'
export type { ListDeliveriesInput, ListWebhooksInput } from './use-cases/webhooks/read-webhooks'
export type { OnWebhook } from './use-cases/webhooks/require-webhook'
export type { WebhookWithSecret } from './use-cases/webhooks/secret'
export type { OnDelivery } from './use-cases/webhooks/send-again'
export type { UpdateWebhookInput } from './use-cases/webhooks/update-webhook'
export { DELIVERY_STATUSES, type Delivery, type DeliveryAttempt, type DeliveryStatus } from './webhook/delivery'
export type { Message, MessageSubject } from './webhook/message'
export {
  DISABLED_REASONS,
  type DisabledReason,
  type SecretSeed,
  WEBHOOK_FORMATS,
  type Webhook,
  type WebhookFormat,
} from './webhook/webhook'
export type { AgentConnection, AgentEnd, AgentStream, BatchEffect } from './worker/agent-hosts'
export { LANE_NAMES, type LaneName } from './worker/lanes'
