/** Bytes of an answer that cost about as much as a small call. */
const BYTES_OF_A_CALL = 16 * 1_024
/** The most that one answer counts for; no list is longer than 4 MiB. */
const MOST = 256

/** Returns the cost of an answer beyond that of a small call, in small calls. The making of a long answer is nearly all of its call's cost. */
export const costOf = (bytesOut: number): number => Math.min(MOST, Math.floor(bytesOut / BYTES_OF_A_CALL))
