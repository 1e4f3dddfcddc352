import { createHmac } from 'node:crypto'
import { base64url, decodeJwt, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { tokens } from '../src/index'

const SECRET = 'a secret of the installation, long enough'
const claims = { accountId: 'acc_1', sessionId: 'ses_1', issuedAt: 1_700_000_000_123, expiresAt: 1_700_604_800_123 }

describe('hash', () => {
  it('is SHA-256 in hexadecimal', () => {
    expect(tokens(SECRET).hash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

describe('sign and verify', () => {
  const { sign, verify } = tokens(SECRET)

  it('signs purpose, line break, text with HMAC-SHA-256', () => {
    expect(sign('upload', 'bld_1')).toBe(createHmac('sha256', SECRET).update('upload\nbld_1').digest('base64url'))
    expect(verify('upload', 'bld_1', sign('upload', 'bld_1'))).toBe(true)
  })

  it('refuses another purpose, text, secret or form', () => {
    const signature = sign('upload', 'bld_1')
    expect(verify('server', 'bld_1', signature)).toBe(false)
    expect(verify('upload', 'bld_2', signature)).toBe(false)
    expect(tokens(`${SECRET}!`).verify('upload', 'bld_1', signature)).toBe(false)
    for (const bad of ['', signature.slice(1), `${signature}=`, `${signature}A`, 'é'.repeat(signature.length)]) {
      expect(verify('upload', 'bld_1', bad)).toBe(false)
    }
  })

  it('refuses a purpose that could be confused with another', () => {
    expect(() => sign('a\nb', 'c')).toThrow(TypeError)
  })

  it.each([
    ['an empty secret', '', /has 0 bytes; it needs at least 32/],
    ['one of 31 bytes', 'thirty-one characters of secret', /has 31 bytes/],
    ['one character again and again', 'x'.repeat(64), /one character again and again/],
    ['none', undefined as unknown as string, /the secret is missing/],
  ])('refuses %s', (_, secret, reason) => {
    expect(() => tokens(secret)).toThrow(reason)
  })

  it('counts bytes, not characters', () => {
    expect(() => tokens('é1'.repeat(11))).not.toThrow()
  })
})

describe('sessions', () => {
  const mine = tokens(SECRET)

  it('come back to the millisecond, long after they expired', async () => {
    const token = await mine.issueSession(claims)
    expect(await mine.readSession(token)).toEqual(claims)
    expect(decodeJwt(token)).toMatchObject({ sub: 'acc_1', jti: 'ses_1' })
  })

  it('are refused when forged', async () => {
    const token = await mine.issueSession(claims)
    const [header, payload, signature] = token.split('.') as [string, string, string]
    const none = `${base64url.encode(JSON.stringify({ alg: 'none' }))}.${payload}.`
    const other = await tokens('another secret of the same length, more or less').issueSession(claims)
    const changed = `${header}.${base64url.encode(JSON.stringify({ ...decodeJwt(token), sub: 'acc_2' }))}.${signature}`
    for (const bad of ['', 'x', 'a.b.c', none, other, changed, `${token}x`, token.slice(0, -4)]) {
      expect(await mine.readSession(bad)).toBeUndefined()
    }
  })

  it('are refused when signed with the bare secret, as `sign` does', async () => {
    const key = new TextEncoder().encode(SECRET)
    const token = await new SignJWT({ sub: 'a', jti: 'b', iat: 1, exp: 2 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(key)
    expect(await mine.readSession(token)).toBeUndefined()
  })

  it('are refused when a claim is missing', async () => {
    const token = await mine.issueSession({ ...claims, sessionId: undefined as unknown as string })
    expect(await mine.readSession(token)).toBeUndefined()
  })
})

describe('seal and unseal', () => {
  const { seal, unseal, derive } = tokens(SECRET)
  const key = derive('secrets', 'prj_1')

  it('gives back the text, and another result each time', () => {
    for (const text of ['', 'x', 'größe 🎲\n'.repeat(1_000)]) expect(unseal(key, seal(key, text, 'a'), 'a')).toBe(text)
    expect(seal(key, 'text', 'a')).not.toBe(seal(key, 'text', 'a'))
    expect(Buffer.from(seal(key, 'text', 'a'), 'base64url').toString('latin1')).not.toContain('text')
  })

  it('refuses another key, another subject and a changed text', () => {
    const sealed = seal(key, 'text', 'a')
    expect(unseal(derive('secrets', 'prj_2'), sealed, 'a')).toBeUndefined()
    expect(unseal(key, sealed, 'b')).toBeUndefined()
    const bytes = Buffer.from(sealed, 'base64url')
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(bytes.readUInt8(at) ^ 1, at)
      expect(unseal(key, changed.toString('base64url'), 'a')).toBeUndefined()
    }
    for (const bad of ['', 'x', sealed.slice(0, -4), `${sealed}AAAA`]) expect(unseal(key, bad, 'a')).toBeUndefined()
  })
})
