import type { Clock, IdPrefix, Ids } from '@matchyard/core/ports'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_CHARACTERS = 10
const COUNT_CHARACTERS = 10
const SEED_CHARACTERS = 6

/**
 * Generates ids with a prefix and the form of a ULID, in rising order. The same seed and the same calls give the same
 * ids.
 */
export class FakeIds implements Ids {
  private count = 0

  constructor(
    private readonly clock: Clock,
    private readonly seed = 1,
  ) {}

  /** Returns the next id with a prefix. */
  next(prefix: IdPrefix): string {
    const time = encode(this.clock.now(), TIME_CHARACTERS)
    // The seed is at the end of the id. There it makes the ids of two `FakeIds` different without changing the order of
    // ids.
    return `${prefix}_${time}${encode(this.count++, COUNT_CHARACTERS)}${encode(this.seed, SEED_CHARACTERS)}`
  }
}

function encode(value: number, length: number): string {
  let rest = Math.abs(Math.trunc(value))
  let text = ''
  for (let i = 0; i < length; i++) {
    text = CROCKFORD[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}
