/** Characters of an answer that are spelled before everybody else has their turn. */
export const SLICE_CHARACTERS = 128 * 1_024

/** Puts the pieces of a long answer together; whoever else is served by this process has their turn after each slice. */
export async function inSlices(
  pieces: Iterable<string>,
  afterOthers: (callback: () => void) => void = setImmediate,
): Promise<string> {
  let text = ''
  let endsAt = SLICE_CHARACTERS
  for (const piece of pieces) {
    text += piece
    if (text.length < endsAt) continue
    await new Promise<void>((resolve) => afterOthers(resolve))
    endsAt = text.length + SLICE_CHARACTERS
  }
  return text
}
