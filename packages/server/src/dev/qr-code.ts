import { renderUnicodeCompact } from 'uqr'

/** Number of light modules around the code. The standard requires four. */
const QUIET_ZONE = 4
/** White on black of the palette's fixed part, because themes change the sixteen named colours. */
const COLOURS = '\u001b[38;5;231;48;5;16m'
const PLAIN = '\u001b[0m'

/**
 * Returns the lines of a QR code for a terminal, two rows of modules in each line. The light modules are white blocks on
 * a black ground of its own, so the code has the same colours in a light and in a dark terminal.
 */
export function qrCode(text: string): readonly string[] {
  const lines = renderUnicodeCompact(text, { border: QUIET_ZONE }).split('\n')
  // A code has an odd number of rows, so the lower half of the last line is outside the code. It is light too.
  return lines.map(
    (line, index) => `${COLOURS}${index === lines.length - 1 ? line.replaceAll('▀', '█') : line}${PLAIN}`,
  )
}
