import type { Clock, Ids, Random } from '@matchyard/core/ports'
import { monotonicFactory } from 'ulid'
import { cryptoRandom } from './crypto-random'

// The generator is asked for a fraction per character (32 values), so 30 bits are plenty.
const STEPS = 2 ** 30

/** `prefix_` and a monotonic ULID: ascending within a process, whatever the prefix. */
export function ulidIds(clock: Clock, random: Random = cryptoRandom()): Ids {
  const next = monotonicFactory(() => random.int(STEPS) / STEPS)
  return { next: (prefix) => `${prefix}_${next(clock.now())}` }
}
