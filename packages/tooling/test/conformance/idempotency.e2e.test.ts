import { beforeEach, expect } from 'vitest'
import { fault, outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

let world: World
let studio: Studio
beforeEach(async () => {
  world = await World.open()
  studio = await world.studio()
  await studio.queue()
})

const under = (key: string) => ({ 'idempotency-key': key })
const create = (key: string, fields: object = {}, player = 'ann') =>
  studio.player(player)('POST /v1/lobbies', { queue_id: 'duel', ...fields }, under(key))
const lobbies = async () => (await studio.backend('GET /v1/lobbies')).body.total

rule('C-1-18', async () => {
  const first = await create('k')
  world.clock.advance(60_000)
  const again = await create('k')
  expect([again.status, again.body]).toEqual([first.status, first.body])
  expect(await lobbies()).toBe(1)
  const start = () => studio.player('ann')(`POST /v1/lobbies/${first.body.lobby_id}/start`, undefined, under('s'))
  const started = await start()
  await world.settle()
  expect((await start()).body).toEqual(started.body)
})

rule('C-1-19', async () => {
  await create('k')
  expect(outcome(await create('k', { name: 'other' }))).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
  expect(await lobbies()).toBe(1)
})

rule('C-1-20', async () => {
  const first = await create('k')
  const other = await create('k', {}, 'bob')
  expect([other.status, other.body.host_player_id]).toEqual([201, 'bob'])
  const asBackend = world.as({ 'api-key': studio.serverKey, 'x-player-id': 'ann' })
  const third = await asBackend('POST /v1/lobbies', { queue_id: 'duel' }, under('k'))
  expect(third.status).toBe(201)
  expect(third.body.lobby_id).not.toBe(first.body.lobby_id)
})

rule('C-1-21', async () => {
  for (const length of [0, 256]) expect(fault(await create('x'.repeat(length)))).toBe('idempotency-key')
  const first = await create('x'.repeat(255))
  expect(first.status).toBe(201)
  world.clock.advance(86_400_000 - 1)
  expect((await create('x'.repeat(255))).body.lobby_id).toBe(first.body.lobby_id)
  world.clock.advance(1)
  await world.settle()
  expect((await create('x'.repeat(255))).body.lobby_id).not.toBe(first.body.lobby_id)
})

rule('C-1-22', async () => {
  const mint = () => studio.developer(`POST /v1/projects/${studio.projectId}/keys`, { type: 'client' }, under('mint'))
  const first = await mint()
  const again = await mint()
  expect(first.body.key).toMatch(/^ck_live_/)
  const { key: _, ...rest } = first.body
  expect([again.status, again.body]).toEqual([201, rest])
})

rule('C-1-30', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => create('k')))
  const made = answers.filter(({ status }) => status === 201)
  expect(made.length).toBeGreaterThan(0)
  for (const answer of answers) {
    if (answer.status !== 201) expect(outcome(answer)).toEqual([409, 'CONFLICT'])
    else expect(answer.body).toEqual(made[0]?.body)
  }
  expect(await lobbies()).toBe(1)
})
