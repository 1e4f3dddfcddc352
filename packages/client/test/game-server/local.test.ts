import { attach } from '@matchyard/client/game-server'
import { expect, it } from 'vitest'

it('is the same object where nobody launched it', async () => {
  const server = await attach<{ settings: { map: string } }>({
    exit: false,
    local: {
      ports: { game: 7777 },
      settings: { map: 'moon' },
      teams: [{ name: 'red', players: ['ann', { playerId: 'bob', role: 'tank', state: { mmr: 9 } }] }],
    },
  })
  expect(server.isLocal).toBe(true)
  expect(server.port('game')).toBe(7777)
  expect(() => server.port('voice')).toThrow(/call attach\(\{ local: \{ ports: \{ voice: 7777/)
  expect(server.settings.map).toBe('moon')
  expect(server.match).toEqual({ matchId: 'local_match', queueId: null, version: 1 })
  expect(server.verify('bob')).toEqual({ ok: true, playerId: 'bob', team: 'red', role: 'tank' })
  expect(server.verify('eve')).toEqual({ ok: false, reason: 'forged' })
  const updates: unknown[] = []
  server.on('match_updated', ({ left }) => updates.push(left.map(({ playerId }) => playerId)))
  await server.ready()
  await server.playerLeft('ann')
  expect(updates).toEqual([['ann']])
  expect(server.verify('ann')).toEqual({ ok: false, reason: 'left' })
  expect(await server.backfill()).toMatchObject({ matchId: 'local_match', status: 'searching' })
  await server.cancelBackfill()
  expect(await server.keepSeat('eve')).toMatchObject({ playerId: 'eve', team: 'red' })
  await server.freeSeat('eve')
  await server.result({ teams: [{ name: 'red', rank: 1 }] })
  await server.close()
  let stopped = false
  server.on('stopping', () => {
    stopped = true
  })
  await server.shutdown()
  expect(stopped).toBe(true)
})

it('lets everybody in where nobody said who plays', async () => {
  const server = await attach({ local: {}, exit: false })
  expect(server.verify('anybody')).toMatchObject({ ok: true, playerId: 'anybody' })
  expect(server.verify('')).toEqual({ ok: false, reason: 'malformed' })
  await server.shutdown()
})
