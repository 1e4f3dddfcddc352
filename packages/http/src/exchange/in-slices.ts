/** Characters of an answer that are spelled before everybody else has their turn. */
export const SLICE_CHARACTERS = 32 * 1_024

/** Puts the pieces of a long answer together. Each slice after the first waits for the turn of its caller, as a call of its own does. */
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
