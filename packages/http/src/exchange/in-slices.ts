/** Number of characters of an answer that are written before other calls can run. */
export const SLICE_CHARACTERS = 32 * 1_024

/**
 * Joins the pieces of a long answer, one slice after another. The call waits in the queue of calls before every slice
 * except the first.
 */
export async function inSlices(pieces: Iterable<string>, inTurn: (slice: () => void) => void): Promise<string> {
  let text = ''
  let endsAt = SLICE_CHARACTERS
  for (const piece of pieces) {
    text += piece
    if (text.length < endsAt) continue
    await new Promise<void>((resolve) => inTurn(resolve))
    endsAt = text.length + SLICE_CHARACTERS
  }
  return text
}
