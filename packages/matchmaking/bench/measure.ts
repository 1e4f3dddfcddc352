import { createPool, type MatchmakingConfig, type Pool, type Ticket } from '../src/index'

const RUNS = Number(process.env.MATCHYARD_BENCH_RUNS ?? 5)

export interface Timed<T> {
  /** Milliseconds; the median of the runs. */
  readonly ms: number
  readonly result: T
}

/** Measures both sides in turn, so that other work of the machine slows both, and returns the median of each side. */
export const sideBySide = <A, B>(
  ours: { prepare: () => () => A },
  theirs: { prepare: () => () => B },
  runs = RUNS,
): { ours: Timed<A>; theirs: Timed<B> } => {
  const left: Timed<A>[] = []
  const right: Timed<B>[] = []
  // The first run compiles the code and does not count.
  for (let run = 0; run <= runs; run++) {
    left.push(time(ours.prepare()))
    right.push(time(theirs.prepare()))
  }
  return { ours: median(left.slice(1)), theirs: median(right.slice(1)) }
}

export const time = <T>(work: () => T): Timed<T> => {
  globalThis.gc?.()
  const start = performance.now()
  const result = work()
  return { ms: performance.now() - start, result }
}

export const repeat = <T>(prepare: () => () => T, runs = RUNS): Timed<T> => {
  const timed = Array.from({ length: runs + 1 }, () => time(prepare()))
  return median(timed.slice(1))
}

const median = <T>(timed: readonly Timed<T>[]): Timed<T> =>
  [...timed].sort((a, b) => a.ms - b.ms)[Math.floor(timed.length / 2)] as Timed<T>

export const filled = (config: MatchmakingConfig, tickets: readonly Ticket[]): Pool => {
  const pool = createPool(config)
  for (const ticket of tickets) pool.add(ticket)
  return pool
}

/** Returns the mean distance of the two ratings within the pairs of a flat list of ids. */
export const meanGap = (tickets: readonly Ticket[], ids: readonly string[]): number => {
  const rating = new Map(tickets.map((ticket) => [ticket.id, ticket.players[0]?.state.mmr as number]))
  let sum = 0
  for (let at = 0; at < ids.length; at += 2) {
    sum += Math.abs((rating.get(ids[at] as string) ?? 0) - (rating.get(ids[at + 1] as string) ?? 0))
  }
  return sum / Math.max(1, ids.length / 2)
}
