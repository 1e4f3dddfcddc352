/** Characters of an answer that are written before other calls have a turn. */
export const SLICE_CHARACTERS = 32 * 1_024

/**
 * Resolves to the joined pieces of a long answer. Each slice after the first waits for the turn of its caller, as a
 * separate call would.
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
