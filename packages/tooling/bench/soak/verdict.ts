import type { Sample } from './figures'

/** The minute to compare the last minute with. A shorter soak uses the end of its first third. */
const BASE_MINUTE = 5
/** The highest allowed ratio of the last minute to the base minute. */
const GROWTH = 1.05

/** Single reads and writes, whose number changes all the time. */
const UNDER_WAY = /Req/
/**
 * Timers that a service may hold at rest, though not always. Each lane of jobs and each queue's matchmaking has one,
 * once there was work. The writer and the checkpoints have one each after a write. A leak would show hundreds of them
 * in half an hour.
 */
const STANDING_TIMERS = 8

export interface Soaked {
  /** At rest, after caches were filled and before the load. */
  readonly before: Sample
  /** At rest, after the load. */
  readonly after: Sample
  readonly minutes: readonly Sample[]
  readonly astonishing: ReadonlyMap<string, number>
}

/**
 * Returns a sentence for each violated condition. Memory is compared under load, after a garbage collection: the heap
 * with the external memory that V8 counts, and the process's own resident memory. File pages, and pages on which malloc
 * has nothing, are not counted. SQLite's page cache is counted, and is full from the beginning. The database file grows
 * for an hour, which is the retention time, and is not counted. Handles, listeners and resources of the event loop are
 * compared at rest.
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
