export type { GameServerCaller } from './access/index'
export type { AccountProfile, SessionGrant } from './accounts/index'
export type { CallOptions } from './context'
export type { DomainEvent, DomainEventMap, DomainEventType } from './domain-events'
export type { OnLobby, OnLobbyByBackend, OwnedBy } from './inputs'
export type {
  BrowseLobbiesInput,
  CreateLobbyInput,
  JoinByCodeInput,
  JoinLobbyInput,
  UpdatePlayerInput,
  UpdateSettingsInput,
} from './lobbies/index'
export type { QueueExplanation } from './matchmaking/explain'
export type { Tick } from './matchmaking/run-queue'
export type { CreateQueueInput, QueueSettings, QueueStats, UpdateQueueInput } from './queues/index'
export { buildCounter, serverCounter } from './quota'
export {
  type CreateServerInput,
  DEFAULT_LOG_LINES,
  type ListServersInput,
  MAX_LOG_LINES,
  type OnServer,
  type SelfCall,
} from './servers/index'
export type { LobbyStream, StreamMessage, WatchLobbyInput } from './streams/index'
