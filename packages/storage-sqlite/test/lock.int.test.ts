import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../src/index'
import { withFolder } from '../src/testing/harness'
import { type Child, child } from './support/child'
import { creation } from './support/lobbies'

async function firstLine({ lines }: Child): Promise<string> {
  for await (const line of lines) return line
  return 'ended'
}

async function kill(running: Child): Promise<void> {
  running.process.kill('SIGKILL')
  await running.ended
}

test('a second service on the same file refuses to start and names the first, also by another name of the file', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const first = sqliteStorage({ path })
    await first.migrate()
    const alias = join(folder, 'alias.db')
    await symlink(path, alias)
    for (const name of [path, alias]) {
      const second = sqliteStorage({ path: name })
      await expect(second.migrate()).rejects.toThrow(`in use by another service (process ${process.pid}`)
      await expect(second.ping()).rejects.toThrow('in use by another service')
      await second.close()
    }
    // The attempts neither disturb the first service nor release its lock. (Closing a file releases all locks that a
    // process has on it.)
    expect(await first.commit(creation('lob_a'))).toEqual({ ok: true })
    const stranger = child('holder', path)
    try {
      expect(await firstLine(stranger)).toContain('in use by another service')
    } finally {
      await kill(stranger)
    }
    await first.close()
    const next = sqliteStorage({ path })
    await next.migrate()
    expect((await next.get('lobby', 'lob_a'))?.id).toBe('lob_a')
    await next.close()
  }))

test('a process of its own holds the file until it dies, and not longer', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const holder = child('holder', path)
    try {
      expect(await firstLine(holder)).toBe('open')
      const storage = sqliteStorage({ path })
      await expect(storage.migrate()).rejects.toThrow(`process ${holder.process.pid}`)
      await kill(holder)
      await storage.migrate()
      await storage.close()
    } finally {
      await kill(holder)
    }
  }))

test('of several that start at once on a dead service’s file exactly one gets it', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db')
    const dead = child('holder', path)
    expect(await firstLine(dead)).toBe('open')
    await kill(dead)
    const starters = Array.from({ length: 4 }, () => child('holder', path))
    try {
      const said = await Promise.all(starters.map(firstLine))
      const shortly = said.map((line) => (line.includes('in use by another service') ? 'refused' : line))
      expect(shortly.sort()).toEqual(['open', 'refused', 'refused', 'refused'])
    } finally {
      await Promise.all(starters.map(kill))
    }
  }))

test('a store in memory needs no lock', async () => {
  const stores = [sqliteStorage({ path: ':memory:' }), sqliteStorage({ path: ':memory:' })]
  for (const storage of stores) {
    await storage.migrate()
    expect(await storage.commit(creation('lob_a'))).toEqual({ ok: true })
  }
  for (const storage of stores) await storage.close()
})
