import { attach, type GameServer } from '@matchyard/client/game-server'
import { tokens } from '@matchyard/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ScriptedService } from './scripted-service'

const KEY = new Uint8Array(32).fill(7)
const MINUTE_MS = 60_000

let service: ScriptedService
let server: GameServer
/** Returns a token as the service issues it. */
const issue = (more: object = {}, key = KEY) => {
  const issuedAt = Math.floor(Date.now() / 1_000) * 1_000
  const times = { issuedAt, expiresAt: issuedAt + 5 * MINUTE_MS }
  const grant = { matchId: 'mat_1', playerId: 'ann', instanceId: 'srv_1', team: 'red', role: null, ...times, ...more }
  return tokens('a secret that is long enough for a test').issueJoinToken(key, grant)
}

beforeEach(async () => {
  service = new ScriptedService()
  await service.start()
  service.configure({ join_token_key: Buffer.from(KEY).toString('base64url') })
  server = await attach({ exit: false })
})
afterEach(async () => {
  await server.shutdown()
  delete process.env.SVC_CONFIG_FILE
  await service.end()
})

it('lets in whom the service vouches for, newcomers ahead of the news too', async () => {
  expect(server.verify(await issue())).toEqual({ ok: true, playerId: 'ann', team: 'red', role: null })
  const newcomer = await issue({ playerId: 'eve the 2nd', team: 'blue', role: 'tank' })
  expect(server.verify(newcomer)).toEqual({ ok: true, playerId: 'eve the 2nd', team: 'blue', role: 'tank' })
})

it('takes whatever a stranger sends', async () => {
  const good = await issue()
  const [header, payload, signature] = good.split('.') as [string, string, string]
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const odd = [undefined, null, 7, {}, '', '.', '..', 'a.b', 'a.b.c.d', 'x'.repeat(5_000), `${header}.${payload}.`]
  for (const token of odd) expect(server.verify(token)).toEqual({ ok: false, reason: 'malformed' })
  const other = Buffer.from(JSON.stringify({ sub: 'eve', aud: 'mat_1', exp: 9e9 })).toString('base64url')
  const forged = [`${header}.${other}.${signature}`, `${none}.${payload}.${signature}`, `${header}.${payload}.AAAA`]
  for (const token of forged) expect(server.verify(token)).toEqual({ ok: false, reason: 'forged' })
})

it('refuses tokens of another key, another match and another server', async () => {
  const tokens = [issue({}, new Uint8Array(32)), issue({ matchId: 'mat_2' }), issue({ instanceId: 'srv_2' })]
  for (const token of await Promise.all(tokens)) expect(server.verify(token)).toEqual({ ok: false, reason: 'forged' })
})

it('refuses what is past its time by more than clocks differ', async () => {
  const at = (ms: number) => issue({ expiresAt: Math.floor((Date.now() + ms) / 1_000) * 1_000 })
  expect(server.verify(await at(-30_000)).ok).toBe(true)
  expect(server.verify(await at(-90_000))).toEqual({ ok: false, reason: 'expired' })
})

it('lets nobody who has left come back on an old token', async () => {
  const old = await issue()
  await server.playerLeft('ann')
  expect(server.verify(old)).toEqual({ ok: false, reason: 'left' })
  // The player was matched again, with a new token.
  expect(server.verify(await issue({ issuedAt: Date.now() + 2_000 })).ok).toBe(true)
})
