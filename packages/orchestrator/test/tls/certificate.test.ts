import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { writeCertificate } from '../../src/process/testing/index'
import { FollowedCertificate } from '../../supervisor/front/certificate.mjs'

const folder = mkdtempSync(join(tmpdir(), 'followed-'))
const [certFile, keyFile] = [join(folder, 'live.pem'), join(folder, 'live.key')]
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const otherKind = privateKey.export({ type: 'pkcs8', format: 'pem' })
let pair: { cert: Buffer; key: Buffer }
let followed: FollowedCertificate
const said: string[] = []
const look = () => followed.look((words) => said.push(words))

beforeAll(async () => {
  pair = new FollowedCertificate(await writeCertificate(folder, 'machine')).options
})
beforeEach(() => {
  said.length = 0
  for (const [path, text] of [
    [certFile, pair.cert],
    [keyFile, pair.key],
  ] as const) {
    rmSync(path, { force: true })
    writeFileSync(path, text)
  }
  followed = new FollowedCertificate({ certFile, keyFile })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('does not use an RSA certificate with a key of elliptic curves, as when the kind of the key changes at a renewal', () => {
  writeFileSync(keyFile, otherKind)
  expect(look()).toBeUndefined()
  expect(said).toEqual([expect.stringMatching(/cannot be used with the key .*; the certificate that was read before/)])
  expect(() => new FollowedCertificate({ certFile, keyFile })).toThrow('key values mismatch')
})

it('complains once about files, and uses them when they belong together again', () => {
  writeFileSync(keyFile, '')
  for (let time = 0; time < 5; time++) expect(look()).toBeUndefined()
  expect(said).toHaveLength(1)
  rmSync(keyFile)
  for (let time = 0; time < 5; time++) expect(look()).toBeUndefined()
  expect(said).toHaveLength(2)
  writeFileSync(keyFile, pair.key)
  expect(look()).toEqual(pair)
})

it('complains, and does not fail, when even the state of a file cannot be read', () => {
  rmSync(certFile)
  symlinkSync('live.pem', certFile)
  expect(look()).toBeUndefined()
  expect(said).toEqual([expect.stringContaining('cannot be read (ELOOP)')])
})
