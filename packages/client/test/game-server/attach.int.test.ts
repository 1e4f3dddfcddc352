import { readFileSync, writeFileSync } from 'node:fs'
import { attach, type GameServer } from '@matchyard/client/game-server'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { cut, json, problem, ScriptedService } from './scripted-service'

const WITHIN = { timeout: 30_000 }
const ANN = { player_id: 'ann', lobby_id: 'lob_1', role: null, state: {} }
const BOB = { player_id: 'bob', lobby_id: 'lob_2', role: 'tank', state: {} }

let service: ScriptedService
let server: GameServer | undefined

beforeEach(async () => {
  service = new ScriptedService()
  await service.start()
  service.configure()
})
afterEach(async () => {
  // Stops the server as the signal would, so that no listener stays for the next test.
  if (server !== undefined) {
    service.will('POST shutdown')
    await service.stop()
    await service.start()
    await server.shutdown()
  }
  server = undefined
  delete process.env.SVC_CONFIG_FILE
  await service.end()
})

const attached = async () => {
  server = await attach({ exit: false })
  return server
}

describe('what the service wrote', () => {
  it('is the match, the teams, the settings and where it runs', async () => {
    const { match, teams, settings, customData, instanceId, region, expiresAt, isLocal } = await attached()
    expect({ match, teams, settings, customData, instanceId, region, isLocal }).toEqual({
      match: { matchId: 'mat_1', queueId: 'arena', version: 1 },
      teams: [
        {
          name: 'red',
          players: [{ playerId: 'ann', team: 'red', lobbyId: 'lob_1', role: null, state: { mmr: 1500 } }],
        },
      ],
      settings: { map: 'moon' },
      customData: { rounds: 3 },
      instanceId: 'srv_1',
      region: 'iad',
      isLocal: false,
    })
    expect(expiresAt?.getTime()).toBe(Date.UTC(2026, 0, 1))
  })

  it('has no match for a server that was launched by itself', async () => {
    service.configure({ match_id: null, match_version: null, teams: [], expires_at: null })
    const { match, teams, expiresAt } = await attached()
    expect({ match, teams, expiresAt }).toEqual({ match: null, teams: [], expiresAt: null })
  })

  it('names its ports, and says which there are', async () => {
    process.env.PORT_GAME_2 = '7777'
    const { port } = await attached()
    expect(port.call(server, 'game-2')).toBe(7777)
    expect(() => port.call(server, 'voice')).toThrow(
      /there is no port "voice" \(PORT_VOICE\): this server has .*PORT_GAME_2/,
    )
    delete process.env.PORT_GAME_2
  })

  it('is waited for by a server that was started before its match, and read once it is whole', async () => {
    const file = process.env.SVC_CONFIG_FILE ?? ''
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, '')
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let isAttached = false
    const attaching = attached().then((one) => {
      isAttached = true
      return one
    })
    // Reads without a file, and then an incomplete file that ends like an object.
    await vi.advanceTimersByTimeAsync(500)
    writeFileSync(file, text.slice(0, text.indexOf('}') + 1))
    await vi.advanceTimersByTimeAsync(500)
    expect(isAttached).toBe(false)
    writeFileSync(file, text)
    await vi.advanceTimersByTimeAsync(500)
    vi.useRealTimers()
    expect((await attaching).match?.matchId).toBe('mat_1')
  })

  it('must be there, and be what it is', async () => {
    process.env.SVC_CONFIG_FILE = '/nowhere/its_svc.json'
    await expect(attach()).rejects.toThrow(/cannot read the configuration \/nowhere\/its_svc\.json: ENOENT/)
    service.configure({ token: undefined })
    await expect(attach()).rejects.toThrow(/is not a configuration of Matchyard: it has no token/)
    delete process.env.SVC_CONFIG_FILE
    await expect(attach()).rejects.toThrow(/SVC_CONFIG_FILE is not set: outside Matchyard, call attach\(\{ local/)
  })
})

describe('what the server says', () => {
  it('is said again under the same key when the answer is lost, the service busy or away', async () => {
    service.will('POST ready', cut, problem(503, 'UNAVAILABLE'), problem(409, 'CONFLICT'), (response) =>
      response.writeHead(502).end('<html>bad gateway</html>'),
    )
    await (await attached()).ready()
    const tries = service.of('POST ready')
    expect(tries).toHaveLength(5)
    expect(new Set(tries.map(({ key }) => key)).size).toBe(1)
    await server?.ready()
    expect(service.of('POST ready').at(-1)?.key).not.toBe(tries[0]?.key)
  })

  it('waits as long as the service asks', async () => {
    service.will('POST close', problem(429, 'RATE_LIMITED', { 'retry-after': '1' }))
    const game = await attached()
    const from = performance.now()
    await game.close()
    expect(performance.now() - from).toBeGreaterThan(990)
  })

  it('waits for a service that is away, and is given up by its signal alone', async () => {
    const game = await attached()
    await service.stop()
    const giveUp = new AbortController()
    const abandoned = game.close({ signal: giveUp.signal })
    const told = game.playerLeft('ann', { excused: true })
    giveUp.abort(new Error('no longer wanted'))
    await expect(abandoned).rejects.toThrow('no longer wanted')
    await service.start()
    await told
    expect(service.of('DELETE players/ann?excused=true')).toHaveLength(1)
  })

  it('is refused in the words of the service, once', async () => {
    service.will('DELETE players/%2Fodd%20one', problem(404, 'PLAYER_NOT_IN_LOBBY'))
    const refusal = await (await attached()).playerLeft('/odd one').catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      name: 'MatchyardError',
      code: 'PLAYER_NOT_IN_LOBBY',
      number: 1,
      status: 404,
      detail: 'it is PLAYER_NOT_IN_LOBBY',
      requestId: 'req_1',
    })
    expect(service.heard).toHaveLength(1)
  })

  it('asks a bug three times', async () => {
    service.will('POST ready', ...Array.from({ length: 9 }, () => problem(500, 'INTERNAL')))
    await expect((await attached()).ready()).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(service.of('POST ready')).toHaveLength(3)
  })

  it('asks for newcomers in the words of the wire', async () => {
    const [created_at, expires_at] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:05:00.000Z']
    const asked = { match_id: 'mat_1', status: 'searching', teams: [{ name: 'red', open: 1 }], created_at, expires_at }
    service.will('POST backfill', json(201, asked))
    const game = await attached()
    const backfill = await game.backfill({ players: [{ playerId: 'ann', state: { mmr: 1600 } }], timeoutSeconds: 60 })
    expect(service.of('POST backfill')[0]?.body).toEqual({
      players: [{ player_id: 'ann', state: { mmr: 1600 } }],
      timeout: 60,
    })
    expect(backfill).toMatchObject({ matchId: 'mat_1', teams: [{ name: 'red', open: 1 }] })
    expect(backfill.expiresAt.toISOString()).toBe(expires_at)
    service.will('DELETE backfill', problem(404, 'BACKFILL_NOT_FOUND'))
    await game.cancelBackfill()
  })

  it('keeps a seat for a friend, and gives back one that is gone', async () => {
    const expires_at = '2026-01-01T00:00:30.000Z'
    service.will('POST seats', json(201, { player_id: 'eve', team: 'red', expires_at }))
    const game = await attached()
    const seat = await game.keepSeat('eve', { team: 'red', holdSeconds: 60 })
    expect(service.of('POST seats')[0]?.body).toEqual({ player_id: 'eve', team: 'red', hold: 60 })
    expect(seat).toEqual({ playerId: 'eve', team: 'red', expiresAt: new Date(expires_at) })
    service.will('DELETE seats/eve', problem(404, 'SEAT_NOT_FOUND'))
    await game.freeSeat('eve')
    expect(service.of('DELETE seats/eve')).toHaveLength(1)
  })
})

describe('the result of the match', () => {
  it('is reported with the names of the service', async () => {
    service.will('POST result', json(200, { match_id: 'mat_1' }))
    const game = await attached()
    const teams = [{ name: 'red', rank: 1, score: 3 }]
    await game.result({ teams, players: [{ playerId: 'ann', stats: { bestCombo: 4 }, left: true }], end: true })
    const player = { player_id: 'ann', stats: { bestCombo: 4 }, left: true }
    expect(service.of('POST result')[0]?.body).toEqual({ teams, players: [player], end: true })
  })
})

describe('what the server hears', () => {
  it('is who came and who went, from the version that it knows on', async () => {
    const game = await attached()
    const updates: unknown[] = []
    game.on('match_updated', ({ version, joined, left }) => {
      updates.push([version, joined.map(({ playerId }) => playerId), left.map(({ playerId }) => playerId)])
    })
    await expect.poll(() => service.streams.length, WITHIN).toBe(1)
    expect(service.streams[0]?.lastEventId).toBe('1')
    service.tell('match_updated', { match_version: 2, teams: [{ name: 'red', players: [ANN, BOB] }] }, '2')
    await expect.poll(() => updates, WITHIN).toEqual([[2, ['bob'], []]])
    expect(game.match?.version).toBe(2)
    expect(game.teams[0]?.players[1]).toMatchObject({ playerId: 'bob', role: 'tank', team: 'red' })

    // The stream is cut within a message, and the service is away for a moment; then it repeats the message and sends a
    // new one.
    service.streams[0]?.response.write('event: match_updated\ndata: {"match_ver')
    await service.stop()
    await service.start()
    await expect.poll(() => service.streams.length, WITHIN).toBe(2)
    expect(service.streams[1]?.lastEventId).toBe('2')
    service.tell('match_updated', { match_version: 2, teams: [{ name: 'red', players: [ANN, BOB] }] }, '2')
    service.tell('match_updated', { match_version: 5, teams: [{ name: 'red', players: [BOB] }] }, '5')
    await expect.poll(() => updates.slice(1), WITHIN).toEqual([[5, [], ['ann']]])
  })

  it('is that the service is away and back, and at last that it knows this process no more', async () => {
    const game = await attached()
    const states: string[] = []
    game.on('connection', ({ state }) => {
      if (states.at(-1) !== state) states.push(state)
    })
    await expect.poll(() => states, WITHIN).toEqual(['live'])
    await service.stop()
    await expect.poll(() => states, WITHIN).toEqual(['live', 'reconnecting'])
    await service.start()
    await expect.poll(() => states, WITHIN).toEqual(['live', 'reconnecting', 'live'])
    service.will('GET events', problem(409, 'INVALID_SERVER_STATE'))
    service.streams.at(-1)?.response.end()
    await expect.poll(() => states, WITHIN).toEqual(['live', 'reconnecting', 'live', 'reconnecting', 'lost'])
  })

  it('goes on after a listener that fails, and not to one that has stopped listening', async () => {
    const game = await attached()
    const heard: string[] = []
    const off = game.on('match_updated', () => heard.push('off'))
    off()
    game.on('match_updated', ({ version }) => heard.push(`v${version}`))
    await expect.poll(() => service.streams.length, WITHIN).toBe(1)
    service.tell('match_updated', { match_version: 2, teams: [] }, '2')
    await expect.poll(() => heard, WITHIN).toEqual(['v2'])
  })
})

describe('the end', () => {
  it('is told once, whoever says it, and waits for what is still to be done', async () => {
    const game = await attached()
    const told: (Date | string)[] = []
    game.on('stopping', async ({ deadline }) => {
      told.push(deadline)
      await game.playerLeft('ann')
      told.push('saved')
    })
    await expect.poll(() => service.streams.length, WITHIN).toBe(1)
    const deadline = new Date(Date.now() + 9_000)
    service.tell('stopping', { deadline: deadline.toISOString() })
    await expect.poll(() => told, WITHIN).toEqual([deadline, 'saved'])
    process.emit('SIGTERM')
    await game.shutdown()
    expect(told).toHaveLength(2)
    // A late listener is called too.
    await new Promise((resolve) => game.on('stopping', resolve))
  })

  it('is asked for by the game, which then has its own farewell', async () => {
    const game = await attached()
    const told: string[] = []
    game.on('stopping', () => told.push('farewell'))
    await game.shutdown()
    expect(told).toEqual(['farewell'])
    expect(service.of('POST shutdown')).toHaveLength(1)
  })

  it('does not wait for a service that is away', async () => {
    const game = await attached()
    await service.stop()
    await game.shutdown()
  })
})
