import { expect, test } from 'vitest'
import type { PlayerAuth } from '../../src/project/player-auth'
import { playerAuthFaults } from '../../src/project/player-auth-faults'

const BEFORE: PlayerAuth = { mode: 'trusted', issuers: [] }
const signing = { kty: 'RSA', use: 'sig', alg: 'RS256', kid: 'a', n: 'AQAB', e: 'AQAB' }
const encryption = { kty: 'RSA', use: 'enc', alg: 'RSA-OAEP', kid: 'b', n: 'AQAB', e: 'AQAB' }
const shared = { kty: 'oct', k: 'AAAA' }
const faultsOf = (...keys: never[] | object[]) =>
  playerAuthFaults({ mode: 'signed', issuers: [{ issuer: 'a', jwks: { keys } as never }] }, BEFORE)

test('a pasted key set may hold keys of other uses beside one that verifies, as Keycloak publishes them', () => {
  expect(faultsOf(signing, encryption)).toEqual([])
  expect(faultsOf(encryption, signing)).toEqual([])
  expect(faultsOf({ kty: 'EC', crv: 'P-521' }, signing)).toEqual([])
})

test('a shared or a private key is refused beside one that verifies', () => {
  expect(faultsOf(signing, shared).map(({ path }) => path)).toEqual(['issuers.0.jwks.keys.1'])
  expect(faultsOf(signing, { ...signing, d: 'AQAB' })).toHaveLength(1)
})

test('a set without a key that verifies says of each key what it is', () => {
  const faults = faultsOf(
    encryption,
    { ...signing, alg: 'PS512' },
    { ...signing, key_ops: ['encrypt'] },
    { kty: 'EC', crv: 'P-521' },
  )
  expect(faults.map(({ message }) => message)).toEqual([
    'is not a signing key: its use is "enc"; send a key whose use is "sig"',
    'is for the algorithm "PS512"; this issuer allows RS256, ES256, EdDSA',
    'is not a verification key: its key_ops do not contain "verify"; send the key that verifies signatures',
    'has a key type that does not match RS256, ES256, EdDSA: RS256 needs RSA, ES256 needs EC on P-256, EdDSA needs OKP on Ed25519',
  ])
})

test('only the algorithms of the issuer count', () => {
  const issuers = [{ issuer: 'a', algorithms: ['ES256' as const], jwks: { keys: [signing] } as never }]
  expect(playerAuthFaults({ mode: 'signed', issuers }, BEFORE)).toHaveLength(1)
})
