import { generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { ISSUER, provingService, type SignedStudio, setPlayerAuth, signedStudio, tokenOf } from './harness/player-auth'
import type { Service } from './harness/service'
import { makeQueue, openStudio } from './harness/studio'

let service: Service
let studio: SignedStudio
const path = () => `/v1/projects/${studio.projectId}/player-auth`
const put = (body: unknown) => service.call(`PUT ${path()}`, { token: studio.token, body })
const get = () => service.call(`GET ${path()}`, { token: studio.token })

beforeEach(async () => {
  service = await provingService()
  studio = await signedStudio(service)
  await makeQueue(service, studio)
})

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const key = { ...publicKey.export({ format: 'jwk' }), kid: 'a' }

describe('how players prove who they are', () => {
  it('is nothing at first, and can be nothing again', async () => {
    const other = await openStudio(service)
    const { body } = await service.call(`GET /v1/projects/${other.projectId}/player-auth`, { token: other.token })
    expect(body).toEqual({ mode: 'trusted', issuers: [] })
    expect((await put({ mode: 'trusted' })).body).toEqual({ mode: 'trusted', issuers: [] })
    expect((await get()).body).toEqual({ mode: 'trusted', issuers: [] })
  })

  it('shows a generated secret once, and keeps it where an issuer is sent without a source of keys', async () => {
    const { body } = await put({ mode: 'signed', issuers: [{ issuer: ISSUER, generate_secret: true }] })
    expect(Buffer.from(body.issuers[0].secret, 'base64url')).toHaveLength(32)
    const { body: shown } = await get()
    const kept = { issuer: ISSUER, algorithms: ['HS256'], player_claim: 'sub', state_claim: 'state' }
    expect(shown).toEqual({ mode: 'signed', issuers: [kept] })
    // The answer of GET is a valid body of PUT.
    const again = await put(shown)
    expect(again.body).toEqual(shown)
    const token = tokenOf(service, { ...studio, secret: body.issuers[0].secret }, 'ann')
    expect((await service.call('GET /v1/players/me/lobbies', { key: studio.client, token })).status).toBe(200)
  })

  it('forgets the old secret with a new one, at once', async () => {
    const token = tokenOf(service, studio, 'ann')
    const ask = () => service.call('GET /v1/players/me/lobbies', { key: studio.client, token })
    expect((await ask()).status).toBe(200)
    await put({ mode: 'signed', issuers: [{ issuer: ISSUER, generate_secret: true }] })
    expect((await ask()).body.code).toBe('INVALID_PLAYER_TOKEN')
  })

  it('keeps neither the secret nor anything to make it of', async () => {
    const row = await service.storage.get('project', studio.projectId)
    expect(JSON.stringify(row)).not.toContain(studio.secret)
  })

  it('shows an inline key set and the URL of one', async () => {
    const issuers = [
      { issuer: 'a', audience: 'game', algorithms: ['EdDSA'], jwks: { keys: [key] }, player_claim: 'player' },
      { issuer: 'b', jwks_url: 'http://127.0.0.1:40001/jwks.json', state_claim: 'https://game.example/state' },
    ]
    await put({ mode: 'signed', issuers })
    expect((await get()).body.issuers).toEqual([
      { ...issuers[0], state_claim: 'state' },
      { ...issuers[1], algorithms: ['RS256', 'ES256', 'EdDSA'], player_claim: 'sub' },
    ])
  })

  const issuer = { issuer: 'a' }
  const six = Array.from({ length: 6 }, (_, n) => ({ issuer: `i${n}`, generate_secret: true }))
  it.each([
    ['no mode', { issuers: [] }],
    ['an unknown mode', { mode: 'none', issuers: [] }],
    ['signed by nobody', { mode: 'signed', issuers: [] }],
    ['six issuers', { mode: 'signed', issuers: six }],
    ['one issuer twice', { mode: 'signed', issuers: [six[0], six[0]] }],
    ['no source of keys', { mode: 'signed', issuers: [issuer] }],
    ['two sources of keys', { mode: 'signed', issuers: [{ ...issuer, generate_secret: true, jwks: { keys: [key] } }] }],
    ['generate_secret: false', { mode: 'signed', issuers: [{ ...issuer, generate_secret: false }] }],
    [
      'HS256 with a key set',
      { mode: 'signed', issuers: [{ ...issuer, algorithms: ['HS256'], jwks: { keys: [key] } }] },
    ],
    ['RS256 with a secret', { mode: 'signed', issuers: [{ ...issuer, algorithms: ['RS256'], generate_secret: true }] }],
    ['alg none', { mode: 'signed', issuers: [{ ...issuer, algorithms: ['none'], jwks: { keys: [key] } }] }],
    ['no algorithm', { mode: 'signed', issuers: [{ ...issuer, algorithms: [], jwks: { keys: [key] } }] }],
    [
      'an algorithm twice',
      { mode: 'signed', issuers: [{ ...issuer, algorithms: ['ES256', 'ES256'], jwks: { keys: [key] } }] },
    ],
    ['no key', { mode: 'signed', issuers: [{ ...issuer, jwks: { keys: [] } }] }],
    ['33 keys', { mode: 'signed', issuers: [{ ...issuer, jwks: { keys: Array.from({ length: 33 }, () => key) } }] }],
    ['no key set', { mode: 'signed', issuers: [{ ...issuer, jwks: {} }] }],
    ['a shared key', { mode: 'signed', issuers: [{ ...issuer, jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }] }],
    [
      'a private key',
      { mode: 'signed', issuers: [{ ...issuer, jwks: { keys: [privateKey.export({ format: 'jwk' })] } }] },
    ],
    [
      'a key of a curve that is not ours',
      { mode: 'signed', issuers: [{ ...issuer, jwks: { keys: [{ kty: 'EC', crv: 'P-521' }] } }] },
    ],
    ['an unknown field', { mode: 'signed', issuers: [{ ...issuer, generate_secret: true, secret: 'mine' }] }],
    ['an issuer that is empty', { mode: 'signed', issuers: [{ issuer: '', generate_secret: true }] }],
  ])('refuses %s and changes nothing', async (_, body) => {
    const before = (await get()).text
    expect((await put(body)).body.code).toBe('VALIDATION_FAILED')
    expect((await get()).text).toBe(before)
  })

  it.each([
    'http://10.0.0.1/jwks.json',
    'http://169.254.169.254/latest',
    'ftp://example.com/x',
    'http://0x7f000001:22/',
  ])('refuses a key set at %s', async (url) => {
    const answer = await put({ mode: 'signed', issuers: [{ issuer: 'a', jwks_url: url }] })
    expect(answer.body).toMatchObject({ code: 'WEBHOOK_ADDRESS_REFUSED', status: 400 })
  })

  it('is for developers of their own projects', async () => {
    const other = await openStudio(service)
    const body = { mode: 'trusted' }
    expect((await service.call(`PUT ${path()}`, { token: other.token, body })).body.code).toBe('PROJECT_NOT_FOUND')
    expect((await service.call(`GET ${path()}`, { token: other.token })).body.code).toBe('PROJECT_NOT_FOUND')
  })
})

describe('a project whose players prove who they are', () => {
  const create = (more: object = {}) =>
    service.call('POST /v1/lobbies', { key: studio.client, body: { queue_id: 'duel' }, ...more })

  it('takes the player from the token, with x-player-id or without it', async () => {
    const token = tokenOf(service, studio, 'ann')
    expect((await create({ token })).body.host_player_id).toBe('ann')
    expect((await create({ token, player: 'ann' })).status).toBe(201)
    expect((await create({ token, player: 'bob' })).body.code).toBe('INVALID_PLAYER_TOKEN')
  })

  it('asks for one wherever a player is named, and nowhere else', async () => {
    const token = tokenOf(service, studio, 'ann')
    const { lobby_id: id } = (await create({ token })).body
    expect((await create({ player: 'ann' })).body.code).toBe('PLAYER_TOKEN_REQUIRED')
    expect((await create()).body.code).toBe('PLAYER_TOKEN_REQUIRED')
    for (const call of [`GET /v1/lobbies/${id}`, 'GET /v1/lobbies']) {
      expect((await service.call(call, { key: studio.client })).status).toBe(200)
      expect((await service.call(call, { key: studio.client, token })).status).toBe(200)
      expect((await service.call(call, { key: studio.client, player: 'ann' })).body.code).toBe('PLAYER_TOKEN_REQUIRED')
      expect((await service.call(call, { key: studio.client, token: 'x' })).body.code).toBe('INVALID_PLAYER_TOKEN')
    }
    for (const call of [`POST /v1/lobbies/${id}/end`, `DELETE /v1/lobbies/${id}`]) {
      expect((await service.call(call, { key: studio.client })).body.code).toBe('PLAYER_TOKEN_REQUIRED')
    }
  })

  it('believes its backend as before', async () => {
    const made = await create({ key: studio.server, player: 'bob' })
    expect(made.body.host_player_id).toBe('bob')
    expect((await service.call(`DELETE /v1/lobbies/${made.body.lobby_id}`, { key: studio.server })).status).toBe(204)
  })

  it('judges the token where the player id stands: after the key and its kind, before the body', async () => {
    const token = tokenOf(service, studio, 'ann')
    const bad = { body: { queue_id: 7 } }
    expect((await create({ ...bad, key: 'ck_live_x', token: 'x' })).body.code).toBe('INVALID_API_KEY')
    expect((await service.call('GET /v1/queues', { key: studio.client, token: 'x' })).body.code).toBe(
      'CREDENTIAL_NOT_ALLOWED',
    )
    expect((await create({ ...bad, token: 'x' })).body.code).toBe('INVALID_PLAYER_TOKEN')
    expect((await create({ ...bad })).body.code).toBe('PLAYER_TOKEN_REQUIRED')
    expect((await create({ ...bad, token })).body.code).toBe('VALIDATION_FAILED')
  })

  it('says with 401 how to prove it', async () => {
    const answer = await create({ player: 'ann' })
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(answer.body.detail).toContain('authorization: Bearer')
  })

  it('keeps idempotency keys of one player from another', async () => {
    const headers = { 'idempotency-key': 'k' }
    const of = (player: string) => create({ token: tokenOf(service, studio, player), headers })
    const [first, again, other] = [await of('ann'), await of('ann'), await of('bob')]
    expect(again.body.lobby_id).toBe(first.body.lobby_id)
    expect(other.body.host_player_id).toBe('bob')
  })

  it('while it still trusts: judges a token that is sent, and believes x-player-id without one', async () => {
    const moving = await signedStudio(service, 'trusted')
    await makeQueue(service, moving)
    const ask = (more: object) => service.call('GET /v1/players/me/lobbies', { key: moving.client, ...more })
    expect((await ask({ player: 'ann' })).status).toBe(200)
    expect((await ask({ token: tokenOf(service, moving, 'ann') })).status).toBe(200)
    expect((await ask({ token: tokenOf(service, moving, 'ann'), player: 'bob' })).body.code).toBe(
      'INVALID_PLAYER_TOKEN',
    )
    expect((await ask({ token: 'x', player: 'ann' })).body.code).toBe('INVALID_PLAYER_TOKEN')
  })

  it('reads the claim that it was told to read', async () => {
    const { issuers } = await setPlayerAuth(service, studio, {
      mode: 'signed',
      issuers: [{ issuer: ISSUER, generate_secret: true, player_claim: 'https://game.example/player' }],
    })
    const of = { ...studio, secret: issuers[0].secret }
    const claims = { 'https://game.example/player': 'zoe' }
    expect((await create({ token: tokenOf(service, of, 'ann', { claims }) })).body.host_player_id).toBe('zoe')
    expect((await create({ token: tokenOf(service, of, 'ann') })).body.code).toBe('INVALID_PLAYER_TOKEN')
  })
})
