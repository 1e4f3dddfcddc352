import type { Sample } from './figures'

/** The minute that the last one is compared with; a shorter soak compares with its first third. */
const BASE_MINUTE = 5
/** What the last minute may hold above it. */
const GROWTH = 1.05

/** Single reads and writes, which come and go. */
const UNDER_WAY = /Req/
/**
 * Timers that a service may have at rest and need not have at each instant, by who set them: one for each lane of jobs and for each queue's
 * matchmaking, once there was work; one of the writer and one of the checkpoints, after a write. What leaks, leaks by the hundred in half an hour.
 */
const STANDING_TIMERS = 8

export interface Soaked {
  /** At rest, once caches were full and before the load began. */
  readonly before: Sample
  /** At rest, after the load. */
  readonly after: Sample
  readonly minutes: readonly Sample[]
  readonly astonishing: ReadonlyMap<string, number>
}

/**
 * What did not hold, as sentences. Memory is compared under load, after a collection of garbage: the heap with what V8 counts
 * outside it, and the resident memory that is the process's own (no pages of files, none on which malloc has nothing), in which SQLite's
 * page cache is full from the beginning. The database itself grows for an hour, which is how long things are kept, and is no memory.
 * Handles, listeners and whatever keeps the event loop awake are compared at rest.
 */
export function judge({ before, after, minutes, astonishing }: Soaked): string[] {
  const base = minutes[Math.min(BASE_MINUTE, Math.ceil(minutes.length / 3)) - 1]
  const last = minutes.at(-1)
  if (base === undefined || last === undefined) return ['no minute passed']
  const grew = (what: string, figure: (sample: Sample) => number) => {
    const [from, to] = [figure(base), figure(last)]
    const ratio = to / from
    console.log(`${what}: ${from.toFixed(1)} MB, then ${to.toFixed(1)} MB: x ${ratio.toFixed(3)}`)
    return ratio <= GROWTH ? [] : [`${what} grew to ${(ratio * 100).toFixed(1)} % of what it was`]
  }
  return [
    ...grew('heap and external memory', ({ heapMb, externalMb }) => heapMb + externalMb),
    ...grew('resident memory', ({ ownMb }) => ownMb),
    ...more('open handles', before.handles, after.handles),
    ...more('listeners of the process', before.listeners, after.listeners),
    ...more('warnings of too many listeners', 0, after.warnings),
    ...Object.keys(after.resources)
      .filter((kind) => !UNDER_WAY.test(kind))
      .flatMap((kind) => {
        const standing = kind === 'Timeout' ? STANDING_TIMERS : 0
        return more(`${kind} resources`, (before.resources[kind] ?? 0) + standing, after.resources[kind] ?? 0)
      }),
    ...[...astonishing].map(([what, times]) => `${times} times: ${what}`),
  ]
}

const more = (what: string, before: number, after: number): string[] =>
  after <= before ? [] : [`${what}: ${before} before, ${after} after`]
