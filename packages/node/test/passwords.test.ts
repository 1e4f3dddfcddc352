import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HashTurn } from '@matchyard/core/ports'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HashLines, MAX_WAITING_FROM, MAX_WAITING_IN_LINE } from '../src/hash-lines'
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

/** Works that the test ends one by one, and the order in which they begin. */
function crowd(hands: number) {
  const lines = new HashLines(hands)
  const begun: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const ask = (name: string, turn?: HashTurn) => {
    const work = () => {
      begun.push(name)
      return new Promise<void>((end) => ends.push(end))
    }
    void lines.run(work, turn).catch((error: { code: string }) => {
      expect(error.code).toBe('UNAVAILABLE')
      refused.push(name)
    })
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const endOne = async () => {
    ends.shift()?.()
    await settled()
  }
  return { ask, begun, refused, endOne, settled, lines }
}

describe('hashing', () => {
  it('needs no thread of the pool that reads and writes files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'matchyard-pool-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4)
    const pipes = Array.from({ length: threads }, (_, i) => join(folder, String(i)))
    execFileSync('mkfifo', pipes)
    // Each takes a thread until somebody opens the other end.
    const opened = pipes.map((pipe) => open(pipe, 'r'))
    try {
      expect(await passwords.verify(await passwords.hash('correct horse'), 'correct horse')).toBe(true)
    } finally {
      for (const pipe of pipes) closeSync(openSync(pipe, 'w'))
      for (const file of await Promise.all(opened)) await file.close()
    }
  })

  it('has so many hands and lines with an end: past it a call is refused at once', async () => {
    const { ask, begun, refused, settled } = crowd(2)
    for (let i = 0; i < 1_000; i++) ask(`hash ${i}`)
    await settled()
    expect(begun).toEqual(['hash 0', 'hash 1'])
    expect(refused).toHaveLength(1_000 - 2 - MAX_WAITING_IN_LINE)
    expect(refused[0]).toBe(`hash ${2 + MAX_WAITING_IN_LINE}`)
  })

  it('has a line for each kind of caller, and a long one makes no other wait for it', async () => {
    const { ask, begun, refused, endOne, settled } = crowd(1)
    for (let i = 0; i < 1_000; i++) ask('registration', { line: 'registration', from: `10.0.${i % 50}.1` })
    for (let i = 0; i < 1_000; i++) ask('stranger', { line: 'sign-in', from: `10.1.${i % 50}.1` })
    ask('returning', { line: 'returning', from: '192.0.2.1' })
    ask('operator')
    await settled()
    expect(refused).not.toContain('returning')
    expect(refused).not.toContain('operator')
    for (let i = 0; i < 4; i++) await endOne()
    expect(begun).toEqual(['registration', 'operator', 'returning', 'stranger', 'registration'])
  })

  it('takes the addresses of one line in turn, gives each a part of it, and has room for one with none', async () => {
    const { ask, begun, refused, endOne, settled } = crowd(1)
    const from = (name: string) => ask(name, { line: 'sign-in', from: name })
    for (let i = 0; i <= MAX_WAITING_FROM; i++) from('a')
    await settled()
    expect(refused).toEqual([])
    from('a')
    await settled()
    expect(refused).toEqual(['a'])
    for (const name of ['b', 'c', 'd']) for (let i = 0; i < MAX_WAITING_FROM; i++) from(name)
    from('operator')
    await settled()
    expect(refused).toHaveLength(2)
    expect(refused).not.toContain('operator')
    for (let i = 0; i < 6; i++) await endOne()
    expect(begun.slice(0, 6)).toEqual(['a', 'a', 'b', 'c', 'd', 'operator'])
  })

  it('lets go of its hand when the work fails', async () => {
    const lines = new HashLines(1)
    await expect(lines.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await lines.run(async () => 'again')).toBe('again')
  })
})
