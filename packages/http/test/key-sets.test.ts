import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { provingService, setPlayerAuth } from './harness/player-auth'
import type { Service } from './harness/service'
import { jws } from './harness/sign'
import { openStudio, type Studio } from './harness/studio'

const ISSUER = 'https://provider.example'
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Identity provider on a real socket, with keys that a test changes. */
class Provider {
  readonly keys = new Map<string, KeyObject>()
  asked = 0
  /** Answer in place of the provider's keys. */
  answer: { readonly status: number; readonly body: string } | undefined
  private server: Server | undefined
  private port = 0

  async open(): Promise<void> {
    const server = createServer((_, response) => {
      this.asked++
      const { status, body } = this.answer ?? { status: 200, body: JSON.stringify({ keys: this.published() }) }
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
    this.server = server
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.server === undefined) return resolve()
      this.server.close(() => resolve())
      this.server.closeAllConnections()
    })
    this.server = undefined
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/jwks.json`
  }

  /** Adds a new key, with which the provider signs from now on. */
  rotate(kid: string): void {
    this.keys.set(kid, generateKeyPairSync('ed25519').privateKey)
  }

  private published() {
    return [...this.keys].map(([kid, key]) => {
      const { d: _, ...half } = key.export({ format: 'jwk' })
      return { ...half, kid }
    })
  }
}

let provider: Provider
let service: Service
let studio: Studio

beforeEach(async () => {
  provider = new Provider()
  provider.rotate('a')
  await provider.open()
  service = await provingService()
  studio = await openStudio(service)
  await setPlayerAuth(service, studio, { mode: 'signed', issuers: [{ issuer: ISSUER, jwks_url: provider.url }] })
})
afterEach(() => provider.close())

const call = (kid: string, key = provider.keys.get(kid)) => {
  const at = Math.floor(service.clock.now() / SECOND)
  const token = jws({ alg: 'EdDSA', kid }, { iss: ISSUER, sub: 'ann', exp: at + 600 }, key)
  return service.call('GET /v1/players/me/lobbies', { key: studio.client, token })
}
const status = async (kid: string, key?: KeyObject) => (await call(kid, key)).status

it('reads a key set once for many calls', async () => {
  expect(await Promise.all(Array.from({ length: 50 }, () => status('a')))).toEqual(Array(50).fill(200))
  expect(provider.asked).toBe(1)
})

it('loses no call by a rotation: the new key is fetched with the first token that it signed', async () => {
  for (const [n, kid] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    provider.rotate(kid)
    const calls = Array.from({ length: 20 }, () => status(kid))
    expect(await Promise.all(calls)).toEqual(Array(20).fill(200))
    // Tokens of the previous key are valid until they expire.
    if (n > 0) expect(await status('abcde'[n - 1] ?? '')).toBe(200)
    service.clock.advance(MINUTE)
  }
  expect(provider.asked).toBeLessThanOrEqual(5)
})

it('takes a new key under an old name', async () => {
  expect(await status('a')).toBe(200)
  provider.rotate('a')
  expect(await status('a')).toBe(200)
})

it('asks again at most once a minute for keys that there are not', async () => {
  expect(await status('a')).toBe(200)
  const stranger = generateKeyPairSync('ed25519').privateKey
  for (let n = 0; n < 120; n++) {
    expect(await status(`none-${n}`, stranger)).toBe(401)
    service.clock.advance(SECOND)
  }
  // Two minutes of tokens with unknown keys.
  expect(provider.asked).toBe(3)
})

it('loses no call of a known key while the provider is down for an hour, and finds it again', async () => {
  expect(await status('a')).toBe(200)
  await provider.close()
  for (let minutes = 0; minutes < 60; minutes++) {
    service.clock.advance(MINUTE)
    expect([minutes, await status('a')]).toEqual([minutes, 200])
  }
  expect(await status('b', generateKeyPairSync('ed25519').privateKey)).toBe(401)
  await provider.open()
  provider.rotate('b')
  service.clock.advance(MINUTE)
  expect(await status('b')).toBe(200)
})

it.each([
  ['an error', { status: 500, body: '' }],
  ['a page', { status: 200, body: '<html>' }],
  ['no keys', { status: 200, body: '{"keys":1}' }],
  ['somewhere else', { status: 302, body: '' }],
  ['too much', { status: 200, body: JSON.stringify({ keys: [], more: 'x'.repeat(100_000) }) }],
])('keeps what it knows where the provider answers with %s', async (_, answer) => {
  expect(await status('a')).toBe(200)
  provider.answer = answer
  service.clock.advance(2 * HOUR)
  expect(await status('a')).toBe(200)
  expect(provider.asked).toBe(2)
})

it('forgets a key that was taken back: within minutes where tokens come, at once where none came for an hour', async () => {
  const [old, others] = [provider.keys.get('a'), ['b']]
  expect(await status('a')).toBe(200)
  provider.keys.delete('a')
  for (const kid of others) provider.rotate(kid)
  service.clock.advance(2 * HOUR)
  expect(await status('a', old)).toBe(401)
  expect(await status('b')).toBe(200)
})

it('is unavailable, not wrong, while no key was ever read', async () => {
  await provider.close()
  const refused = await call('a')
  expect(refused.body).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
  expect(refused.headers.get('retry-after')).not.toBeNull()
  await provider.open()
  service.clock.advance(2 * SECOND)
  expect(await status('a')).toBe(200)
})
