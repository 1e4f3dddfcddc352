import { describe, expect, it } from 'vitest'
import { argon2Passwords } from '../src/index'

const passwords = argon2Passwords()

describe('argon2Passwords', () => {
  it('verifies the password and no other', async () => {
    const hash = await passwords.hash('correct horse')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwords.verify(hash, 'correct horse')).toBe(true)
    expect(await passwords.verify(hash, 'correct horse ')).toBe(false)
    expect(await passwords.hash('correct horse')).not.toBe(hash)
  })

  it('answers false for what is no hash', async () => {
    for (const bad of ['', 'plain', '$argon2id$v=19$m=1']) expect(await passwords.verify(bad, 'x')).toBe(false)
  })

  it('is never true for nobody', async () => {
    expect(await passwords.verifyNothing('')).toBe(false)
    expect(await passwords.verifyNothing('correct horse')).toBe(false)
  })
})
