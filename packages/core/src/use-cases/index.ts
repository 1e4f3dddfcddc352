export { buildCounter, serverCounter } from '../commit/counters'
export type { CallOptions } from '../context/context'
export type { DomainEvent, DomainEventMap, DomainEventType } from '../context/domain-events'
export type { OnLobby, OnLobbyByBackend, OwnedBy } from '../context/inputs'
export type { QueueExplanation } from '../director/explain'
export type { Tick } from '../director/run-queue'
export type { Credentials, GameServerCaller, KeyCaller, SessionCaller } from './access/index'
export type { AccountProfile, LoginInput, OfSession, RegisterInput, SessionGrant } from './accounts/index'
export type { DowngradeInput, GetUsageInput, PlanStatus, UpgradeInput } from './billing/index'
export type {
  BuildLogs,
  CreatedUpload,
  CreateUploadInput,
  ListBuildsInput,
  OnBuild,
  ReceiveUploadInput,
  RegisterImageInput,
} from './builds/index'
export type { ListKeysInput, MintedKey, MintKeyInput, RevokeKeyInput } from './keys/index'
export type {
  BrowseLobbiesInput,
  CreateLobbyInput,
  JoinByCodeInput,
  JoinLobbyInput,
  UpdatePlayerInput,
  UpdateSettingsInput,
} from './lobbies/index'
export type {
  CreatedProject,
  CreateProjectInput,
  DeleteProjectInput,
  ListProjectsInput,
} from './projects/index'
export type { CreateQueueInput, QueueStats, UpdateQueueInput } from './queues/index'
export type {
  CreateServerInput,
  ListServersInput,
  OnServer,
  SelfCall,
} from './servers/index'
export {
  DEFAULT_STREAM_LIMITS,
  type LobbyStream,
  type StreamLimits,
  type StreamMessage,
  type WatchLobbyInput,
} from './streams/index'
