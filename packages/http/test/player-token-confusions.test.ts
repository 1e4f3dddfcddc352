import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { ISSUER, provingService, type SignedStudio, setPlayerAuth, signedStudio, tokenOf } from './harness/player-auth'
import type { Service } from './harness/service'
import { jws } from './harness/sign'
import { openStudio, type Studio } from './harness/studio'

const PROVIDER = 'https://provider.example'
const AUDIENCE = 'the-game'
const MINUTE = 60
const HOUR = 3_600

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const small = generateKeyPairSync('rsa', { modulusLength: 1_024 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const jwkOf = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more })
const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string

let service: Service
/** Studio with two issuers: a backend with a generated secret, and a provider with a key set. */
let studio: SignedStudio
/** Another studio with an issuer of the same name. */
let other: SignedStudio
let trusting: Studio

beforeAll(async () => {
  service = await provingService()
  studio = await signedStudio(service)
  other = await signedStudio(service)
  trusting = await openStudio(service)
  const keys = [
    jwkOf(rsa.publicKey, { kid: 'rsa', use: 'sig' }),
    jwkOf(ec.publicKey, { kid: 'ec', alg: 'ES256' }),
    jwkOf(ed.publicKey, { kid: 'ed', key_ops: ['verify'] }),
    jwkOf(small.publicKey, { kid: 'small' }),
  ]
  // An issuer that is sent without a source of keys keeps its secret.
  const issuers = [{ issuer: ISSUER }, { issuer: PROVIDER, audience: AUDIENCE, jwks: { keys } }]
  await setPlayerAuth(service, studio, { mode: 'signed', issuers })
})

const seconds = () => Math.floor(service.clock.now() / 1_000)
const secret = () => Buffer.from(studio.secret, 'base64url')
const backendClaims = () => ({ iss: ISSUER, sub: 'ann', iat: seconds(), exp: seconds() + HOUR })
const providerClaims = () => ({ ...backendClaims(), iss: PROVIDER, aud: AUDIENCE })
/** Returns a valid token of the backend, with these changes. */
const byBackend = (claims: object = {}, header: object = {}) =>
  jws({ alg: 'HS256', typ: 'JWT', ...header }, { ...backendClaims(), ...claims }, secret())
/** Returns a valid token of the provider, with these changes. */
const byProvider = (
  claims: object = {},
  header: object = {},
  key: KeyObject | Buffer | string | undefined = rsa.privateKey,
) => jws({ alg: 'RS256', typ: 'JWT', kid: 'rsa', ...header }, { ...providerClaims(), ...claims }, key)
const without = (claims: object, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
const dotted = (token: string) => token.split('.') as [string, string, string]
const ask = (token: string, player?: string) =>
  service.call('GET /v1/players/me/lobbies', { key: studio.client, token, ...(player === undefined ? {} : { player }) })

/** Tokens that must be refused. Each is valid except for one fault. */
const REFUSED: Readonly<Record<string, () => string>> = {
  'alg none, unsigned': () => jws({ alg: 'none' }, backendClaims(), undefined),
  'alg none with the signature left on': () => {
    const [, payload, signature] = dotted(byBackend())
    return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.${signature}`
  },
  'alg nOnE': () => jws({ alg: 'nOnE' }, backendClaims(), undefined),
  'no alg': () => jws({ typ: 'JWT' }, backendClaims(), secret()),
  'alg that is no text': () => jws({ alg: ['HS256'] }, backendClaims(), secret()),
  'alg hs256 in lower case': () => jws({ alg: 'hs256' }, backendClaims(), secret()),
  'alg HS512, which nobody lists': () => jws({ alg: 'HS512' }, backendClaims(), secret()),
  'HS256 with the public key as PEM': () => byProvider({}, { alg: 'HS256' }, pem),
  'HS256 with the public key as DER': () =>
    byProvider({}, { alg: 'HS256' }, rsa.publicKey.export({ type: 'spki', format: 'der' })),
  'HS256 with the public key as JWK text': () => byProvider({}, { alg: 'HS256' }, JSON.stringify(jwkOf(rsa.publicKey))),
  'HS256 with the modulus': () =>
    byProvider({}, { alg: 'HS256' }, Buffer.from(jwkOf(rsa.publicKey).n as string, 'base64url')),
  'HS256 with an empty key': () => jws({ alg: 'HS256' }, backendClaims(), Buffer.alloc(0)),
  'HS256 with the secret as text, not its bytes': () => jws({ alg: 'HS256' }, backendClaims(), studio.secret),
  'RS256 under the issuer of a secret': () => jws({ alg: 'RS256' }, backendClaims(), rsa.privateKey),
  "the provider's key under the backend's name": () => byProvider({ iss: ISSUER }),
  "the backend's secret under the provider's name": () => jws({ alg: 'HS256' }, providerClaims(), secret()),
  "a stranger's key under a known kid": () => byProvider({}, {}, stranger.privateKey),
  'RS256 with the kid of the EC key': () => byProvider({}, { kid: 'ec' }),
  'ES256 with the kid of the RSA key': () => byProvider({}, { alg: 'ES256', kid: 'rsa' }, ec.privateKey),
  'EdDSA with the kid of the EC key': () => byProvider({}, { alg: 'EdDSA', kid: 'ec' }, ed.privateKey),
  'RSA of 1,024 bits': () => byProvider({}, { kid: 'small' }, small.privateKey),
  'no kid where several keys fit': () => byProvider({}, { kid: undefined }),
  'kid of no key': () => byProvider({}, { kid: 'none-such' }),
  'kid that walks out of a folder': () =>
    jws({ alg: 'HS256', kid: '../../dev/null' }, providerClaims(), Buffer.alloc(1)),
  'kid that is SQL': () => byProvider({}, { kid: "x' UNION SELECT 'key" }),
  'kid that is an object': () => byProvider({}, { kid: { $ne: null } }),
  'kid that is a number': () => byProvider({}, { kid: 0 }),
  'kid longer than any': () => byProvider({}, { kid: 'k'.repeat(1_000) }),
  'kid __proto__': () => byProvider({}, { kid: '__proto__' }),
  'jwk in the header': () => byProvider({}, { jwk: jwkOf(stranger.publicKey) }, stranger.privateKey),
  'jwk in the header, the right one': () => byProvider({}, { jwk: jwkOf(rsa.publicKey) }),
  'jku in the header': () => byProvider({}, { jku: 'https://stranger.example/jwks.json' }, stranger.privateKey),
  'x5u in the header': () => byProvider({}, { x5u: 'https://stranger.example/cert.pem' }, stranger.privateKey),
  'x5c in the header': () => byProvider({}, { x5c: ['MIIB'] }, stranger.privateKey),
  'crit with what nobody knows': () => byBackend({}, { crit: ['exp'], exp: 1 }),
  'crit that is empty': () => byBackend({}, { crit: [] }),
  'b64 false': () => byBackend({}, { b64: false, crit: ['b64'] }),
  zip: () => byBackend({}, { zip: 'DEF' }),
  'cty JWT, one inside another': () => byBackend({}, { cty: 'JWT' }),
  'a token as the payload of another': () => jws({ alg: 'HS256' }, byBackend(), secret()),
  'typ of a logout token': () => byBackend({}, { typ: 'logout+jwt' }),
  'typ of a security event': () => byBackend({}, { typ: 'secevent+jwt' }),
  'typ that is no text': () => byBackend({}, { typ: 1 }),
  'alg twice in the header': () => jws('{"alg":"HS256","alg":"none"}', backendClaims(), secret()),
  'sub twice': () => jws({ alg: 'HS256' }, JSON.stringify(backendClaims()).replace('{', '{"sub":"eve",'), secret()),
  'sub twice, once escaped': () =>
    jws({ alg: 'HS256' }, JSON.stringify(backendClaims()).replace('{', '{"\\u0073ub":"eve",'), secret()),
  'a field of the state twice': () =>
    jws({ alg: 'HS256' }, JSON.stringify(backendClaims()).replace('{', '{"state":{"mmr":1,"mmr":9000},'), secret()),
  'another issuer': () => byBackend({ iss: 'https://evil.example' }),
  'the issuer with a slash more': () => byBackend({ iss: `${ISSUER}/` }),
  'the issuer in capitals': () => byBackend({ iss: ISSUER.toUpperCase() }),
  'no issuer': () => jws({ alg: 'HS256' }, without(backendClaims(), 'iss'), secret()),
  'an issuer that is a list': () => byBackend({ iss: [ISSUER] }),
  'another audience': () => byProvider({ aud: 'another-game' }),
  'no audience where one is set': () => byProvider({ aud: undefined }),
  'a list without the audience': () => byProvider({ aud: ['a', 'b'] }),
  'an audience that begins like ours': () => byProvider({ aud: `${AUDIENCE}-2` }),
  'an audience that is an object': () => byProvider({ aud: { [AUDIENCE]: true } }),
  'an audience where none is set, of another project': () => byBackend({ aud: other.projectId }),
  "another project's secret": () => tokenOf(service, other, 'ann'),
  'no exp': () => jws({ alg: 'HS256' }, without(backendClaims(), 'exp'), secret()),
  'exp a year ahead': () => byBackend({ exp: seconds() + 365 * 24 * HOUR }),
  'exp 25 hours ahead': () => byBackend({ exp: seconds() + 25 * HOUR }),
  'exp beyond every number': () =>
    jws({ alg: 'HS256' }, JSON.stringify(backendClaims()).replace(/"exp":\d+/, '"exp":1e999'), secret()),
  'exp as text': () => byBackend({ exp: String(seconds() + HOUR) }),
  'exp in milliseconds': () => byBackend({ exp: service.clock.now() + HOUR * 1_000 }),
  'exp 0': () => byBackend({ exp: 0 }),
  'exp null': () => byBackend({ exp: null }),
  'expired 61 s ago': () => byBackend({ exp: seconds() - 61 }),
  'nbf in the future': () => byBackend({ nbf: seconds() + 2 * MINUTE }),
  'nbf as text': () => byBackend({ nbf: 'now' }),
  'iat in the future': () => byBackend({ iat: seconds() + 2 * MINUTE }),
  'iat as text': () => byBackend({ iat: 'now' }),
  'no sub': () => jws({ alg: 'HS256' }, without(backendClaims(), 'sub'), secret()),
  'sub that is a number': () => byBackend({ sub: 7 }),
  'sub that is a list': () => byBackend({ sub: ['ann'] }),
  'sub null': () => byBackend({ sub: null }),
  'sub empty': () => byBackend({ sub: '' }),
  'sub with half a character, which UTF-8 cannot tell from another half': () =>
    jws({ alg: 'HS256' }, JSON.stringify(backendClaims()).replace(/"sub":"[^"]*"/, '"sub":"\\ud800"'), secret()),
  'sub of 129 characters': () => byBackend({ sub: 'x'.repeat(129) }),
  'sub with a line break': () => byBackend({ sub: 'ann\nbob' }),
  'a state that is a list': () => byBackend({ state: ['mmr'] }),
  'a state that is nested too deep': () => byBackend({ state: deep(17) }),
  'a state with __proto__': () =>
    jws({ alg: 'HS256' }, JSON.stringify(backendClaims()).replace('{', '{"state":{"__proto__":{"mmr":1}},'), secret()),
  'longer than 8,192 characters': () => byBackend({ more: 'x'.repeat(8_192) }),
  'five parts, as a JWE has': () => `${byBackend()}.a.b`,
  'two parts': () => dotted(byBackend()).slice(0, 2).join('.'),
  'an empty signature': () => `${dotted(byBackend()).slice(0, 2).join('.')}.`,
  'a signature cut short': () => byBackend().slice(0, -4),
  'a signature in other spelling, its last bits set': () => respelled(byBackend()),
  padding: () => `${byBackend()}=`,
  'base64 in place of base64url': () => byProvider().replaceAll('-', '+').replaceAll('_', '/').concat('+'),
  'a payload that was changed': () => {
    const [header, , signature] = dotted(byBackend())
    return `${header}.${dotted(byBackend({ sub: 'eve' }))[1]}.${signature}`
  },
  'claims that are no object': () => jws({ alg: 'HS256' }, '"ann"', secret()),
  'claims that are null': () => jws({ alg: 'HS256' }, 'null', secret()),
  'claims that are no JSON': () => jws({ alg: 'HS256' }, '{sub:ann}', secret()),
  'a header that is a list': () => jws(['HS256'], backendClaims(), secret()),
  "a developer's session": () => studio.token,
  'the client key': () => studio.client,
  'a word': () => 'ann',
}

const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) })

/** Returns a token with the same bytes in another spelling, which only a lax decoder accepts. */
function respelled(token: string): string {
  const last = token.at(-1) ?? ''
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return token.slice(0, -1) + digits[(digits.indexOf(last) & ~3) | 1]
}

describe('a player token is refused', () => {
  it.each(Object.entries(REFUSED))('%s', async (_, make) => {
    const answer = await ask(make())
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 401, code: 'INVALID_PLAYER_TOKEN' })
    expect(answer.body.number).toBe(1011)
    expect(answer.text).not.toContain(studio.secret)
  })

  it('in at least fifty ways that have a name', () => {
    expect(Object.keys(REFUSED).length).toBeGreaterThanOrEqual(50)
  })

  const TWINS: Readonly<Record<string, readonly [string, string]>> = {
    'composed and decomposed': ['\u00e9', 'e\u0301'],
    'with a letter of another alphabet': ['ann', '\u0430nn'],
    'in other case': ['ann', 'Ann'],
    'with a space behind': ['ann', 'ann\u00a0'],
    'with a zero-width joiner': ['ann', 'an\u200dn'],
    'in full width': ['ann', '\uff41\uff4e\uff4e'],
    'of the ligature and its letters': ['\ufb01', 'fi'],
  }
  it.each(Object.entries(TWINS))(
    'of a player whose id looks like that of x-player-id: %s',
    async (_, [inToken, inHeader]) => {
      const token = tokenOf(service, studio, inToken)
      expect((await ask(token, inHeader)).body).toMatchObject({ code: 'INVALID_PLAYER_TOKEN', status: 401 })
      expect((await ask(token, inToken)).status).toBe(200)
    },
  )
})

describe('a player token is taken', () => {
  const TAKEN: Readonly<Record<string, () => string>> = {
    "HS256 with the secret's bytes": () => byBackend(),
    'whatever kid a secret is said to have': () => byBackend({}, { kid: 'v1' }),
    RS256: () => byProvider(),
    ES256: () => byProvider({}, { alg: 'ES256', kid: 'ec' }, ec.privateKey),
    EdDSA: () => byProvider({}, { alg: 'EdDSA', kid: 'ed' }, ed.privateKey),
    'ES256 without kid, where one key fits': () => byProvider({}, { alg: 'ES256', kid: undefined }, ec.privateKey),
    'typ at+jwt': () => byProvider({}, { typ: 'at+jwt' }),
    'without typ': () => byProvider({}, { typ: undefined }),
    'a list with the audience': () => byProvider({ aud: ['a', AUDIENCE] }),
    'the project as audience, where none is set': () => byBackend({ aud: studio.projectId }),
    'expired 59 s ago': () => byBackend({ exp: seconds() - 59 }),
    'exp 24 hours ahead': () => byBackend({ exp: seconds() + 24 * HOUR }),
    'a clock that is 59 s ahead': () => byBackend({ iat: seconds() + 59, nbf: seconds() + 59 }),
    'without iat': () => jws({ alg: 'HS256' }, without(backendClaims(), 'iat'), secret()),
    'exp with a fraction': () => byBackend({ exp: seconds() + 0.5 }),
    'a player id with a comma': () => byBackend({ sub: 'é, 😀' }),
  }
  it.each(Object.entries(TAKEN))('%s', async (_, make) => {
    const answer = await ask(make())
    expect(answer.text).toContain('"total":0')
    expect(answer.status).toBe(200)
  })
})

describe('a project that asks for nothing', () => {
  it('reads no token: the key decides, as before', async () => {
    for (const token of [byBackend(), 'rubbish', trusting.token]) {
      const answer = await service.call('GET /v1/players/me/lobbies', { key: trusting.client, token, player: 'ann' })
      expect(answer.status).toBe(200)
    }
  })

  it('still wants a player to be named', async () => {
    const answer = await service.call('GET /v1/players/me/lobbies', { key: trusting.client, token: byBackend() })
    expect(answer.body.code).toBe('PLAYER_ID_REQUIRED')
  })
})

it('a key that was imported from a PEM is the one of the set', () => {
  expect(jwkOf(createPublicKey(pem)).n).toBe(jwkOf(rsa.publicKey).n)
})
