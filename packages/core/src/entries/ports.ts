// Exports for authors of adapters: the ports, and helpers that every adapter of one kind needs.
export { AgentHands, type AgentHandsOptions } from '../agent/agent-hands'
export type { SentBatch } from '../agent/outbox'
export type {
  AgentAnswer,
  AgentCall,
  AgentFacts,
  ObservedBatch,
  WantedCall,
} from '../agent/protocol'
export { type HeardBatch, RemoteControl, type RemoteControlOptions } from '../agent/remote-control'
export { isLaunchable } from '../build/build'
export { formatImageReference, type ImageReference, parseImageReference } from '../build/image-reference'
export type { JoinGrant } from '../match/join-token'
export { KeyedQueue } from '../node/keyed-queue'
export * from '../ports/index'
export { queueKey } from '../queue/queue'
export { type Environment, unsafeOutsideSandbox } from '../server/environment'
export { transportsOf } from '../server/game-server'
export { portVariable } from '../server/ports'
export { fillArguments } from '../server/startup-args'
export { frozen } from '../shared/json'
export { type NamesOf, requireKnownOptions, requireOneOf, requireWholeNumber } from '../shared/known-names'
