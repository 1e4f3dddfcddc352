import { SECOND_MS } from '../shared/time'

/** Milliseconds between two checks by which a node adjusts its waiting servers and reports them. */
export const WARM_EVERY_MS = 5 * SECOND_MS
/** Milliseconds without a sighting after which a waiting server counts as gone. One observation may be lost, and a node may be lost. */
export const WARM_SEEN_WITHIN_MS = 3 * WARM_EVERY_MS

/** Returns the presence scope in which nodes report the servers that wait for matches of a queue. */
export const warmScope = (queueKey: string): string => `warm:${queueKey}`
