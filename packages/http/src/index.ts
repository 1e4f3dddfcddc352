export {
  AGENT_HEADER,
  type AgentEvent,
  type ArchiveLocation,
  agentHeaderOf,
  batchText,
  type CallEvent,
  type EndEvent,
  readAgentEvent,
  readBatch,
  readLocation,
  readTaken,
  type SessionEvent,
} from './agents/agent-wire'
export { AnswersUnderWay } from './answers-under-way'
export { createApp, type MatchyardApp } from './app'
export { HTTP_ERRORS, type HttpErrorRow, statusOf } from './error-status'
export type { HttpEnv, NodeBindings } from './exchange/web-exchange'
export type { Party } from './fairness/party'
export { type SharedFile, takesGzip } from './files'
export { MAX_HEAD_BYTES, refuseLongHeads } from './long-heads'
export type { AdmissionOptions } from './middleware/admission'
export type { BrakeLimits } from './middleware/brakes'
export { addressOf, networkOf } from './middleware/client-address'
export { type FlexibleLimiter, flexibleRateLimiter } from './middleware/flexible-limiter'
export { type Rank, REFUSABLE_RANKS } from './middleware/load'
export { memoryRateLimiter, type RateLimiter, type RateRule, type RateState } from './middleware/rate-limiter'
export { openApiDocument } from './openapi/document'
export type {
  AnsweredRequest,
  AppOptions,
  CallSource,
  EndedStream,
  Gzipped,
  MetricsPage,
  OpenStream,
  ReferenceKeys,
  SignInCodes,
  TellHolder,
} from './options'
export { PROBLEM_MEDIA_TYPE, type Problem } from './problem'
export { ENDPOINTS } from './routes/index'
export { limitSlowReaders } from './slow-readers'
export { limitSlowSenders, NODE_SERVER_OPTIONS } from './slow-senders'
export { unreadableRequest } from './unreadable-request'
export type { BegunSession } from './wire/agent'
export { matchmaking } from './wire/matchmaking'
export { webhookBody } from './wire/message'
