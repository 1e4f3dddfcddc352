export { type AdminClient, type AdminOptions, createAdmin } from './admin'
export type { BuildProgress, Builds, RegisterImage, UploadBuild } from './builds'
export type { AdminLobbies, AllLobbies } from './lobbies'
export { mintPlayerToken, type PlayerTokenOptions } from './player-token'
export type { Queues } from './queues'
export type {
  Keys,
  Machines,
  Matches,
  Members,
  Metrics,
  Players,
  Problems,
  Projects,
  Secrets,
  Usages,
  Webhooks,
} from './resources'
export type { FollowLogs, Servers } from './servers'
export type * from './types'
export { verifyWebhook, type WebhookHeaders, type WebhookMessage } from './verify-webhook'
