/** Number of bytes of an answer that cost about as much as one small call. */
const BYTES_OF_A_CALL = 16 * 1_024
/** Maximum cost of one answer, in small calls; no list is longer than 4 MiB. */
const MOST = 256

/**
 * Returns how much more an answer costs than one small call, in small calls. Nearly all the cost of a call with a long
 * answer is making that answer.
 */
export const costOf = (bytesOut: number): number => Math.min(MOST, Math.floor(bytesOut / BYTES_OF_A_CALL))
