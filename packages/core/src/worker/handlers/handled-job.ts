import type { ClaimedJob } from '../../ports/storage/index'

/** What a handler is given: what to look at, and how often it was tried, this time included. Throwing means: try again later. */
export type HandledJob = Pick<ClaimedJob, 'payload' | 'attempts'>
