import type { Clock, Ids, Random } from '@matchyard/core/ports'
import { encodeTime } from 'ulid'
import { cryptoRandom } from './crypto-random'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_CHARACTERS = 10
/** Number of characters for the count. The count numbers the ids of one millisecond, so that ids ascend. */
const COUNT_CHARACTERS = 3
const COUNTS = 32 ** COUNT_CHARACTERS
/**
 * Number of random characters of an id: 65 bits, which are random for each id. An attacker who knows one id and the
 * time of the next id cannot guess the next id.
 */
const RANDOM_CHARACTERS = 13
/** Number of characters from one call of the random generator: 30 bits. */
const DRAWN_AT_ONCE = 6

/**
 * Returns a generator of ids: `prefix_` and a ULID. The ids ascend within a process, for all prefixes together. The
 * random part of the ULID consists of a count of the ids in the millisecond and 65 random bits (RFC 9562, 6.2, method
 * 1). After 32,768 ids in a millisecond, and while the clock is behind the last id, the ids continue from the time of
 * the last id.
 */
export function ulidIds(clock: Clock, random: Random = cryptoRandom()): Ids {
  let time = -1
  let count = 0
  let timeText = ''

  function step(): void {
    const now = clock.now()
    count++
    if (now <= time && count < COUNTS) return
    time = now > time ? now : time + 1
    count = 0
    timeText = encodeTime(time, TIME_CHARACTERS)
  }

  return {
    next(prefix) {
      step()
      return `${prefix}_${timeText}${inCrockford(count, COUNT_CHARACTERS)}${drawn(random)}`
    },
  }
}

function drawn(random: Random): string {
  let text = ''
  for (let left = RANDOM_CHARACTERS; left > 0; left -= DRAWN_AT_ONCE) {
    const length = Math.min(left, DRAWN_AT_ONCE)
    text += inCrockford(random.int(32 ** length), length)
  }
  return text
}

function inCrockford(value: number, length: number): string {
  let text = ''
  for (let shift = 5 * (length - 1); shift >= 0; shift -= 5) text += CROCKFORD[(value >>> shift) & 31]
  return text
}
