import { createAdmin } from '@matchyard/client/admin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ground, playSequence } from '../../src/client-proof/sequence'
import { type EmbeddedService, embeddedService } from '../../src/embedded-service'
import { rounds, seeded } from '../../src/rounds'

const FULL = 1_000
const AT_ONCE = 25

let service: EmbeddedService
let ground: Ground
beforeAll(async () => {
  service = await embeddedService()
  const { clientKey, serverKey } = service
  const { baseUrl } = service.service
  ground = { baseUrl, clientKey, serverKey, queueId: 'solo' }
  const matchmaking = { teams: 1, players_per_team: 1 }
  await createAdmin({ baseUrl, serverKey }).queues.create({ queue_id: 'solo', name: 'Solo', matchmaking })
})
afterAll(() => service.stop())

describe('a player behind a network that cuts, delays, swallows and forgets', () => {
  it('sees every version of the lobby once and in order, and does everything once', {
    timeout: 1_800_000,
  }, async () => {
    const { seed } = seeded()
    console.log(`seed ${seed}: MATCHYARD_SEED=${seed} repeats it`)
    const failed: string[] = []
    let turn = 0
    const many = rounds(FULL)
    const play = async () => {
      while (turn < many) {
        const mine = seed + turn++
        const wrong = await playSequence(ground, mine).catch((error: unknown) => [String(error)])
        if (wrong.length > 0) failed.push(`sequence ${mine}: ${wrong.join('; ')}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, play))
    expect(failed).toEqual([])
  })
})
