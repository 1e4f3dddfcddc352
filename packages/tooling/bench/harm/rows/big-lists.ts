import { readingsOf } from '../readings'
import type { HarmRow } from '../row'
import { HarmWorld } from '../world'

const LOBBIES = 100
const SETTINGS = { text: 'x'.repeat(16_000) }
/** Players per lobby: with states of 15 kB each, a lobby has about 240 kB. */
const MEMBERS = 15
const STATE = { text: 's'.repeat(15_000) }
const LISTS = ['/v1/lobbies?limit=100', '/v1/players/me/lobbies?limit=100']
const PLAYER = 'collector'
const ROUNDS = 2
const AT_ONCE = 4

/** A player fills lobbies up to their limits and reads long lists of them. */
export const row: HarmRow = {
  name: 'big-lists',
  harm: `${LOBBIES} lobbies of 16 kB of settings and ${MEMBERS} states of 15 kB, all with one player; long lists are read, ${AT_ONCE} at once`,
  async run() {
    const world = await HarmWorld.serve()
    const client = world.client()
    const post = async (path: string, player: string, body: unknown, key = world.credentials.client_key) => {
      const answer = await client.call({ method: 'POST', path, key, player, body })
      if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    try {
      const queue = { queue_id: 'large', name: 'Large', max_players: MEMBERS + 1 }
      await post('/v1/queues', PLAYER, queue, world.credentials.server_key)
      const quiet = await readingsOf(world, LISTS, PLAYER, { rounds: ROUNDS, atOnce: AT_ONCE })
      for (let n = 0; n < LOBBIES; n++) {
        const { lobby_id } = await post('/v1/lobbies', PLAYER, { queue_id: 'large', settings: SETTINGS })
        for (let m = 0; m < MEMBERS; m++) await post(`/v1/lobbies/${lobby_id}/join`, `member-${m}`, { state: STATE })
      }
      const attacked = await readingsOf(world, LISTS, PLAYER, { rounds: ROUNDS, atOnce: AT_ONCE })
      return [
        { what: 'largest answer', unit: 'kB', quiet: quiet.kilobytes, attacked: attacked.kilobytes },
        { what: 'an answer, median', unit: 'ms', quiet: quiet.p50, attacked: attacked.p50 },
        { what: '/livez, longest', unit: 'ms', quiet: quiet.livezMs.max, attacked: attacked.livezMs.max },
        { what: '/livez, median', unit: 'ms', quiet: quiet.livezMs.p50, attacked: attacked.livezMs.p50 },
        { what: 'memory, peak', unit: 'MB', quiet: quiet.memoryMb.peak, attacked: attacked.memoryMb.peak },
      ]
    } finally {
      client.close()
      await world.stop()
    }
  },
}
