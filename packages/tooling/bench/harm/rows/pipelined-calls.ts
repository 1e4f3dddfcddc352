import { besideOthers, doorFigures } from '../door'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const WATCHED_MS = 15_000
const BYTES = 69_000_000

const attacks = (key: string, lobby: string) => [
  { name: 'no key', connections: 1, path: '/v1/lobbies', head: '' },
  { name: 'no such path', connections: 1, path: '/nothing', head: '' },
  { name: 'no Host', connections: 1, path: '/livez', head: undefined },
  { name: 'an Expect', connections: 1, path: '/livez', head: 'expect: a miracle\r\n' },
  { name: '200 connections', connections: 200, path: '/v1/lobbies', head: '' },
  {
    name: 'long polls',
    connections: 1,
    path: `/v1/lobbies/${lobby}?after_version=1000&wait=25`,
    head: `api-key: ${key}\r\nx-player-id: p0\r\n`,
  },
]

/** One connection that sends requests without waiting for an answer. */
export const row: HarmRow = {
  name: 'pipelined-calls',
  harm: `${BYTES / 1e6} MB of requests are sent without waiting for an answer, and no answer is read`,
  async run(): Promise<readonly HarmFigure[]> {
    const figures: HarmFigure[] = []
    for (const n of attacks('', '').keys()) {
      const world = await HarmWorld.serve()
      try {
        const made = { method: 'POST', path: '/v1/lobbies', player: 'p0', body: { queue_id: 'demo' } }
        const { body } = await world.client().call<{ lobby_id: string }>(made)
        const attack = attacks(world.credentials.client_key, body.lobby_id)[n]
        if (attack === undefined) break
        const { name, connections, path, head } = attack
        if (process.env.ONLY !== undefined && process.env.ONLY !== name) continue
        const host = head === undefined ? '' : 'host: a\r\n'
        const requests = `GET ${path} HTTP/1.1\r\n${host}${head ?? ''}\r\n`
        const quiet = await besideOthers(world, WATCHED_MS / 3)
        const attacked = await besideOthers(world, WATCHED_MS, { connections, requests, bytes: BYTES, reads: false })
        figures.push(...doorFigures(name, quiet, attacked))
      } finally {
        await world.stop()
      }
    }
    return figures
  },
}
