export * from '@matchyard/matchmaking'
export * from './access/caller'
export * from './access/permissions'
export type { Account, PaymentMethod, PlanInterval } from './account/account'
export { SESSION_LIFETIME_MS, type Session } from './account/session'
export type { Access } from './api/access'
export type { Accounts } from './api/accounts'
export type { Billing } from './api/billing'
export type { Builds } from './api/builds'
export type { Keys } from './api/keys'
export type { Lobbies } from './api/lobbies'
export type { Matches } from './api/matches'
export type { Matchmaking } from './api/matchmaking'
export type { Calls, Matchyard, WorkerSteps } from './api/matchyard'
export type { Projects } from './api/projects'
export type { Queues } from './api/queues'
export type { Servers } from './api/servers'
export * from './billing/index'
export * from './build/index'
export * from './catalog/free-form'
export * from './catalog/limits'
export * from './catalog/plans'
export * from './catalog/prices'
export * from './catalog/regions'
export * from './catalog/tiers'
export { buildCounter, serverCounter } from './commit/counters'
export type { CallOptions } from './context/context'
export type { DomainEvent, DomainEventMap, DomainEventType } from './context/domain-events'
export type { OnLobby, OnLobbyByBackend, OwnedBy } from './context/inputs'
export { KeyedQueue } from './context/keyed-queue'
export type { QueueExplanation } from './director/explain'
export type { Tick } from './director/run-queue'
export * from './errors/decision'
export * from './errors/index'
export * from './lobby/index'
export type { Match, MatchPlayer, MatchTeam, MatchWait } from './match/match'
export { createMatchyard, type MatchyardOptions } from './matchyard'
export * from './ports/index'
export { API_KEY_TYPES, type ApiKey, type ApiKeyType } from './project/api-key'
export type { Project } from './project/project'
export * from './queue/index'
export type { ReceiveUploadInput } from './runtime/receive-upload'
export * from './server/index'
export * from './shared/json'
export * from './shared/page'
export * from './shared/time'
export type { Credentials, GameServerCaller, KeyCaller, SessionCaller } from './use-cases/access/index'
export type { AccountProfile, LoginInput, OfSession, RegisterInput, SessionGrant } from './use-cases/accounts/index'
export type { DowngradeInput, GetUsageInput, PlanStatus, UpgradeInput } from './use-cases/billing/index'
export type {
  BuildLogs,
  CreatedUpload,
  CreateUploadInput,
  ListBuildsInput,
  OnBuild,
  RegisterImageInput,
} from './use-cases/builds/index'
export type { ListKeysInput, MintedKey, MintKeyInput, RevokeKeyInput } from './use-cases/keys/index'
export type {
  BrowseLobbiesInput,
  CreateLobbyInput,
  JoinByCodeInput,
  JoinLobbyInput,
  UpdatePlayerInput,
  UpdateSettingsInput,
} from './use-cases/lobbies/index'
export type {
  CreatedProject,
  CreateProjectInput,
  DeleteProjectInput,
  ListProjectsInput,
} from './use-cases/projects/index'
export type { CreateQueueInput, QueueStats, UpdateQueueInput } from './use-cases/queues/index'
export type {
  CreateServerInput,
  ListServersInput,
  OnServer,
  SelfCall,
} from './use-cases/servers/index'
export {
  DEFAULT_STREAM_LIMITS,
  type LobbyStream,
  type StreamLimits,
  type StreamMessage,
  type WatchLobbyInput,
} from './use-cases/streams/index'
export { LANE_NAMES, type LaneName, laneOf } from './worker/lanes'
