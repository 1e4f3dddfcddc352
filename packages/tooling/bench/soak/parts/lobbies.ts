import type { Load } from '../load'

export const LOBBY_QUEUE = 'soak_lobbies'
const ROUND_MS = 2_500

/** Plays a party that meets, changes its lobby and leaves. Each round creates the same number of lobbies. */
export const playLobbies = (load: Load, name: string): Promise<void> =>
  load.repeat(ROUND_MS, async (turn) => {
    const [host, guest] = [`${name}-host-${turn % 50}`, `${name}-guest-${turn % 50}`]
    const made = await load.call<{ lobby_id: string; invite_code: string }>({
      method: 'POST',
      path: '/v1/lobbies',
      player: host,
      body: { queue_id: LOBBY_QUEUE, is_private: turn % 2 === 0, state: { mmr: 1_000 + turn } },
    })
    const path = `/v1/lobbies/${made.body.lobby_id}`
    const { invite_code } = made.body
    await load.call({ method: 'POST', path: '/v1/lobbies/join', player: guest, body: { invite_code } })
    for (let mmr = 0; mmr < 3; mmr++) {
      await load.call({ method: 'PATCH', path: `${path}/players/${guest}`, player: guest, body: { state: { mmr } } })
    }
    await load.call({ method: 'PATCH', path: `${path}/settings`, player: host, body: { name: `round ${turn}` } })
    await load.call({ method: 'POST', path: `${path}/heartbeat`, player: host })
    await load.call({ method: 'GET', path: `/v1/lobbies?queue_id=${LOBBY_QUEUE}&limit=20` })
    await load.call({ method: 'POST', path: `${path}/leave`, player: guest })
    if (turn % 2 === 0) await load.call({ method: 'DELETE', path, player: host })
    else await load.call({ method: 'POST', path: `${path}/leave`, player: host })
    load.count('lobbies')
  })
