import type { ClaimedJob } from '../../ports/storage/index'

/** What a handler is given: what to look at, how often it was tried, this time included, and whether whoever tried it last died over it. Throwing means: try again later. */
export type HandledJob = Pick<ClaimedJob, 'payload' | 'attempts' | 'lapsed'>
