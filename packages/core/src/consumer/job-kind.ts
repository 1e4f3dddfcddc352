/** Kinds of jobs of consumers begin with this text. */
const CONSUME = 'consume:'
/** Returns the kind of the jobs of one consumer, from the consumer's key. */
export const consumeKindOf = (key: string): string => `${CONSUME}${key}`
/** Returns the id of the job of a backlog. */
export const consumeJobId = (backlogId: string): string => `${CONSUME}${backlogId}`

/** Whether jobs of the kind are those of a consumer. */
export const isConsumeKind = (kind: string): boolean => kind.startsWith(CONSUME)
