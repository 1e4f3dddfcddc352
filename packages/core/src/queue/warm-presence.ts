import { SECOND_MS } from '../shared/time'

/** How often a node looks whether what waits is as it is wanted, and says what it has. */
export const WARM_EVERY_MS = 5 * SECOND_MS
/** Warm servers not seen for this long count as gone: one observation may be lost, and a node may be gone. */
export const WARM_SEEN_WITHIN_MS = 3 * WARM_EVERY_MS

/** Where nodes say which servers wait for matches of a queue. */
export const warmScope = (queueKey: string): string => `warm:${queueKey}`
