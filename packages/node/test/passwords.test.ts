import { describe, expect, it } from 'vitest'
import { HASHES_AT_ONCE, MAX_WAITING_HASHES } from '../src/argon2-passwords'
import { Hands } from '../src/hands'
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

describe('hashing', () => {
  it('has two hands and a line with an end: past it a call is refused at once', async () => {
    const hands = new Hands(HASHES_AT_ONCE, MAX_WAITING_HASHES)
    let [busy, most] = [0, 0]
    const works = Array.from({ length: 1_000 }, () =>
      hands
        .run(async () => {
          most = Math.max(most, ++busy)
          await Promise.resolve()
          busy--
          return 'hashed'
        })
        .catch((error: { code: string }) => error.code),
    )
    const ends = await Promise.all(works)
    expect(most).toBe(HASHES_AT_ONCE)
    expect(ends.filter((end) => end === 'hashed')).toHaveLength(HASHES_AT_ONCE + MAX_WAITING_HASHES)
    expect(ends.filter((end) => end === 'UNAVAILABLE')).toHaveLength(1_000 - HASHES_AT_ONCE - MAX_WAITING_HASHES)
    expect(await hands.run(async () => 'again')).toBe('again')
  })

  it('lets go of its hand when the work fails', async () => {
    const hands = new Hands(1, 0)
    await expect(hands.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await hands.run(async () => 'again')).toBe('again')
  })
})
