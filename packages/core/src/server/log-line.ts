import { utf8Length } from '../shared/json'
import type { Instant } from '../shared/time'

/** Line that a game server wrote to one of its output streams. */
export interface ServerLogLine {
  readonly at: Instant
  readonly stream: 'stdout' | 'stderr'
  readonly message: string
}

/** Returns the newest lines that together have at most `maxBytes` bytes as JSON, oldest first. */
export function newestLines(lines: readonly ServerLogLine[], maxBytes: number): readonly ServerLogLine[] {
  let bytes = 0
  const past = lines.findLastIndex((line) => {
    // The comma after a line counts too.
    bytes += utf8Length(JSON.stringify(line)) + 1
    return bytes > maxBytes
  })
  return lines.slice(past + 1)
}
