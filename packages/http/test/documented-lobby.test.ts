import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Body } from './harness/client'
import { startService } from './harness/service'
import { makeBuild, openStudio } from './harness/studio'

const PAGE = new URL('../../../docs/http-api.md', import.meta.url)

/** Resolves to the JSON blocks of docs/http-api.md between "### A lobby" and the next heading. */
async function blocks(): Promise<readonly Body[]> {
  const [, after = ''] = (await readFile(PAGE, 'utf8')).split('\n### A lobby\n')
  const [section = ''] = after.split(/\n#+ /)
  return [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json))
}

/**
 * Returns the value with generated ids, times, codes and ports replaced by their kinds, because they differ in each
 * run.
 */
function drawn(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => drawn(one))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, drawn(inner, name)]))
  }
  if (typeof value === 'string' && /^(lob|mat|srv)_[0-9A-Z]{26}$/.test(value)) return value.slice(0, 4)
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return 'time'
  if (key === 'invite_code' && /^[0-9A-Z]{6}$/.test(String(value))) return 'code'
  if (key === 'external_port' && Number.isInteger(value)) return 'port'
  return value
}

test('docs/http-api.md: its lobbies are as the service answers them, and what it sends is taken', async () => {
  const [waiting, join, inGame, ...others] = await blocks()
  expect(others).toEqual([])
  const service = await startService()
  const studio = await openStudio(service)
  await makeBuild(service, studio)
  const { call } = service
  const server_settings = {
    version_tag: 'arena',
    region: 'fra',
    network_ports: [{ name: 'game', protocol: 'udp', internal_port: 7777 }],
  }
  const matchmaking = { teams: 2, players_per_team: 2 }
  const queue = { queue_id: 'demo', name: 'Demo', max_players: 2, server_settings, matchmaking }
  expect((await call('POST /v1/queues', { key: studio.server, body: queue })).status).toBe(201)
  const made = await call('POST /v1/lobbies', {
    key: studio.client,
    player: 'ann',
    body: { queue_id: 'demo', settings: { mode: 'duel' }, state: { mmr: 1500 } },
  })
  expect(drawn(made.body)).toEqual(drawn(waiting))
  expect(join.invite_code).toBe(waiting.invite_code)
  const body = { ...join, invite_code: made.body.invite_code }
  const joined = await call('POST /v1/lobbies/join', { key: studio.client, player: 'bob', body })
  expect(joined.status).toBe(200)
  const on = `/v1/lobbies/${made.body.lobby_id}`
  await call(`POST ${on}/start`, { key: studio.client, player: 'ann' })
  await service.settle()
  const playing = await call(`GET ${on}`, { key: studio.client, player: 'bob' })
  expect(drawn(playing.body)).toEqual(drawn(inGame))
})
