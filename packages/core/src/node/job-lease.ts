import { SECOND_MS } from '../shared/time'

/**
 * Milliseconds of a job's lease without renewal. After a worker died, another node continues the worker's jobs within this time and one
 * poll.
 */
export const JOB_LEASE_MS = 3 * SECOND_MS
