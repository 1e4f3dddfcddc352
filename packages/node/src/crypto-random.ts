import { randomInt } from 'node:crypto'
import type { Random } from '@matchyard/core/ports'

/** Chance from the operating system's generator, without modulo bias; `below` up to 2^48 - 1. */
export const cryptoRandom = (): Random => ({ int: (below) => randomInt(below) })
