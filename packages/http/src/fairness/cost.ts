/** Bytes of an answer that cost about as much as a small call. */
const BYTES_OF_A_CALL = 16 * 1_024
/** Maximum cost of one answer, in small calls: no list is longer than 4 MiB. */
const MOST = 256

/**
 * Returns the cost of an answer beyond that of a small call, in small calls. Nearly all of the cost of such a call is
 * the making of the answer.
 */
export const costOf = (bytesOut: number): number => Math.min(MOST, Math.floor(bytesOut / BYTES_OF_A_CALL))
