import type { Clock, IdPrefix, Ids } from '@matchyard/core/ports'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_CHARACTERS = 10
const COUNT_CHARACTERS = 10
const SEED_CHARACTERS = 6

/** Ids shaped like a prefix and a ULID, ascending, and the same again for the same seed and calls. */
export class FakeIds implements Ids {
  private count = 0

  constructor(
    private readonly clock: Clock,
    private readonly seed = 1,
  ) {}

  next(prefix: IdPrefix): string {
    const time = encode(this.clock.now(), TIME_CHARACTERS)
    // The seed comes last: it keeps two fakes apart without disturbing the order of either.
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
