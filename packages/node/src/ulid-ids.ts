import type { Clock, Ids, Random } from '@matchyard/core/ports'
import { encodeTime } from 'ulid'
import { cryptoRandom } from './crypto-random'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_CHARACTERS = 10
/** Numbers the ids of one millisecond, so that they ascend. */
const COUNT_CHARACTERS = 3
const COUNTS = 32 ** COUNT_CHARACTERS
/** 65 bits, drawn anew for each id: an attacker who knows one id, and the time of the next, cannot guess it. */
const RANDOM_CHARACTERS = 13
/** Characters of one draw: 30 bits. */
const DRAWN_AT_ONCE = 6

/**
 * `prefix_` and a ULID: ascending within a process, whatever the prefix. Its random part is a count of the ids of the millisecond and
 * 65 bits of chance of its own (RFC 9562, 6.2, method 1). Past 32,768 ids in a millisecond, and while the clock is behind, time goes on from where it was.
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
