import { SECOND_MS } from '../shared/time'

/** Milliseconds between two checks in which a node adjusts its waiting servers and reports them to the storage. */
export const WARM_EVERY_MS = 5 * SECOND_MS
/** Milliseconds without a report after which a waiting server counts as gone. Within this time a node can miss one observation. */
export const WARM_SEEN_WITHIN_MS = 3 * WARM_EVERY_MS

/** Returns the presence scope in which nodes report the servers that wait for matches of a queue. */
export const warmScope = (queueKey: string): string => `warm:${queueKey}`
