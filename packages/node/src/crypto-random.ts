import { randomInt } from 'node:crypto'
import type { Random } from '@matchyard/core/ports'

/** Returns random numbers from the operating system's generator, without modulo bias; `below` is at most 2^48 - 1. */
export const cryptoRandom = (): Random => ({ int: (below) => randomInt(below) })
