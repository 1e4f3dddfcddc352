import { createClient, type LobbySnapshot } from '@matchyard/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fastPlatform } from '../../src/client-proof/fast-platform'
import { FaultProxy } from '../../src/client-proof/fault-proxy'
import { type ProofGround, steadyGround } from '../../src/client-proof/grounds'
import { eventually } from '../../src/eventually'
import { seeded } from '../../src/rounds'

const LONG_MS = 120_000

let ground: ProofGround
beforeAll(async () => {
  ground = await steadyGround()
})
afterAll(() => ground.stop())

describe('a player behind a proxy that keeps streams for their end', () => {
  it.concurrent.each([
    ['lets the headers through, and nothing else', 0],
    ['lets through what fills its buffer, and is silent then', 300],
  ])('that %s, is told by polling what happens, and says so', { timeout: 240_000 }, async (_, bytes) => {
    const proxy = await FaultProxy.start(Number(new URL(ground.baseUrl).port))
    proxy.fault = { holdStreamsAfterBytes: bytes }
    const log: string[] = []
    const given = { clientKey: ground.clientKey, log: (sentence: string) => log.push(sentence) }
    const platform = fastPlatform(seeded().next)
    const ann = createClient({ ...given, baseUrl: proxy.url, player: `ann ${bytes}`, platform })
    const bob = createClient({ ...given, baseUrl: ground.baseUrl, player: `bob ${bytes}` })
    try {
      const lobby = await ann.lobbies.create({ queueId: ground.queueId })
      const seen: LobbySnapshot[] = []
      lobby.on('change', (now) => seen.push(now))
      await eventually(
        () => `${lobby.connection} by ${lobby.transport}`,
        (now) => now === 'live by polling',
        LONG_MS,
      )
      const theirs = await bob.lobbies.join({ lobbyId: lobby.id })
      for (let n = 0; n < 3; n++) {
        await eventually(
          () => lobby.current.version,
          (version) => version === theirs.current.version,
          LONG_MS,
        )
        await theirs.setState({ n })
      }
      await eventually(
        () => lobby.current.players[1]?.state.n,
        (n) => n === 2,
        LONG_MS,
      )
      expect(seen.map(({ version }) => version)).toEqual([2, 3, 4, 5])
      expect(log).toContain('matchyard: event streams do not come through: polling')
    } finally {
      ann.close()
      bob.close()
      await proxy.stop()
    }
  })
})
