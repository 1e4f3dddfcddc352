import type { Load } from '../load'
import { DUEL_QUEUE, GAME_QUEUE } from './matches'

const RUBBISH_EVERY_MS = 400
const POLL_EVERY_MS = 1_000
const KEY_EVERY_MS = 3_000

/** Sends requests of a broken or hostile client. */
export const sendRubbish = (load: Load): Promise<void> =>
  load.repeat(RUBBISH_EVERY_MS, async (turn) => {
    const body = RUBBISH[turn % RUBBISH.length]
    const headers = { 'api-key': load.clientKey, 'x-player-id': 'eve', 'content-type': 'application/json' }
    const answer = await fetch(`${load.world.baseUrl}/v1/lobbies`, { method: 'POST', headers, body: body ?? '' })
    await answer.arrayBuffer()
    if (answer.status < 400 || answer.status >= 500) load.astonished(`rubbish was answered ${answer.status}`)
    await load.call({ method: 'GET', path: `/v1/nowhere/${turn}` })
    await load.call({ method: 'GET', path: '/v1/lobbies', key: `no such key ${turn}` })
    await load.call({ method: 'GET', path: `/v1/matches/${'m'.repeat(3_000)}${turn}` })
    load.count('rubbish calls')
  })

const RUBBISH = ['{', '[]', 'null', '"\ud800"', '['.repeat(5_000), JSON.stringify({ queue_id: 'x'.repeat(10_000) })]

/** Sends requests that dashboards and players repeat. */
export const poll = (load: Load): Promise<void> =>
  load.repeat(POLL_EVERY_MS, async () => {
    for (const queue of [DUEL_QUEUE, GAME_QUEUE])
      await load.backend({ method: 'GET', path: `/v1/queues/${queue}/stats` })
    for (const path of ['/v1/servers', '/v1/builds', '/v1/queues', '/openapi.json']) {
      await load.backend({ method: 'GET', path: `${path}` })
    }
    await (await fetch(`${load.world.baseUrl}/metrics`)).arrayBuffer()
    load.count('polls')
  })

/** Registers another studio, which creates keys, uses them and revokes them. */
export async function turnKeys(load: Load): Promise<void> {
  const body = { email: 'soak@studio.example', password: 'a long enough password', name: 'Soak' }
  const { token } = (await load.control<{ token: string }>({ method: 'POST', path: '/v1/auth/register', body })).body
  const made = { method: 'POST', path: '/v1/projects', body: { name: 'Soak' } }
  const project = await load.control<{ project_id: string }>(made, token)
  const path = `/v1/projects/${project.body.project_id}/keys`
  await load.repeat(KEY_EVERY_MS, async () => {
    const mint = { method: 'POST', path, body: { type: 'server' } }
    const { status, body } = await load.control<{ key_id: string; key: string }>(mint, token)
    if (status !== 201) return load.astonished(`a key was answered ${status}`)
    await load.call({ method: 'GET', path: '/v1/lobbies', key: body.key })
    await load.control({ method: 'DELETE', path: `${path}/${body.key_id}` }, token)
    const after = await load.call({ method: 'GET', path: '/v1/lobbies', key: body.key })
    if (after.status !== 401) load.astonished(`a revoked key was answered ${after.status}`)
    load.count('keys')
  })
}
