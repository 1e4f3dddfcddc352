// For authors of adapters: the ports, and what every adapter of one kind would otherwise write again.
export { formatImageReference, type ImageReference, parseImageReference } from '../build/image-reference'
export { KeyedQueue } from '../context/keyed-queue'
export type { JoinGrant } from '../match/join-token'
export * from '../ports/index'
export { queueKey } from '../queue/queue'
export { portVariable } from '../server/ports'
export { fillArguments, hasUnclosedQuote, splitArguments } from '../server/startup-args'
export { type NamesOf, requireKnownOptions, requireOneOf, requireWholeNumber } from '../shared/known-names'
