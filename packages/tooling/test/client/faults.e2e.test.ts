import { describe, expect, it } from 'vitest'
import {
  clusterGround,
  killedGround,
  type ProofGround,
  steadyGround,
  whileKilling,
} from '../../src/client-proof/grounds'
import { playSequence } from '../../src/client-proof/sequence'
import { rounds, seeded } from '../../src/rounds'

const FULL = 1_000

const { seed } = seeded()
const cases: readonly {
  readonly of: string
  readonly share: number
  readonly atOnce: number
  readonly start: (chance: () => number) => Promise<ProofGround>
}[] = [
  { of: 'a service that stands', share: 0.8, atOnce: 20, start: steadyGround },
  { of: 'a service that is killed and started again', share: 0.1, atOnce: 5, start: killedGround },
  { of: 'two nodes of a cluster, one or the other of which is killed', share: 0.1, atOnce: 5, start: clusterGround },
]

/** Plays `many` sequences from the first seed on, `atOnce` of them at a time, and returns the failures. */
async function playAll(ground: ProofGround, first: number, many: number, atOnce: number): Promise<string[]> {
  const wrong: string[] = []
  let turn = 0
  const play = async () => {
    while (turn < many) {
      const mine = first + turn++
      const found = await playSequence(ground, mine).catch((error: unknown) => [String(error)])
      if (found.length > 0) wrong.push(`sequence ${mine}: ${found.join('; ')}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, play))
  return wrong
}

describe('a player behind a network that cuts, delays, swallows and forgets', () => {
  it.concurrent.each(cases)(
    'sees every version of the lobby once and in order, and does everything once, at $of',
    {
      timeout: 3_600_000,
    },
    async ({ of, share, atOnce, start }) => {
      const many = Math.ceil(rounds(FULL) * share)
      console.log(`${many} sequences at ${of}; MATCHYARD_SEED=${seed} repeats them`)
      // Each case has its own range of 10,000,000 seeds, so its sequences do not depend on the speed of the other
      // cases.
      const first = seed + 10_000_000 * cases.findIndex((one) => one.of === of)
      const chance = seeded(first).next
      const ground = await start(chance)
      try {
        const playing = playAll(ground, first, many, atOnce)
        const kills = await whileKilling(ground, chance, playing)
        if (ground.kill !== undefined) console.log(`${of}: killed ${kills} times`)
        expect(await playing).toEqual([])
      } finally {
        await ground.stop()
      }
    },
  )
})
