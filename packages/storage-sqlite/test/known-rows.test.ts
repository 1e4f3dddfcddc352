import { join } from 'node:path'
import type { Account, Lobby } from '@matchyard/core'
import { type Commit, type Storage, uniqueKey } from '@matchyard/core/ports'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../src/index'
import { SqliteDatabase } from '../src/library'
import { KNOWN_TEXT } from '../src/read/known-rows'
import { storageOver } from '../src/storage-over'
import { Store } from '../src/store'
import { withFolder } from '../src/testing/harness'
import { HeldDisk, turn } from './support/held-disk'
import { creation, lobby } from './support/lobbies'

const rename = (before: Lobby, name: string): Commit => ({
  ...{ id: `${name} ${before.version}`, at: 2_000, checks: [], counters: [], events: [], jobs: [] },
  writes: [
    { kind: 'lobby', id: before.id, expected: before.version, put: { ...before, name, version: before.version + 1 } },
  ],
})
// The account has only the fields that these tests read.
const account = { id: 'acc_a', version: 1, email: 'ann@example.com', plan: { id: 'free' } } as unknown as Account
const opening: Commit = {
  ...{ id: 'opening', at: 1_000, checks: [], counters: [], events: [], jobs: [] },
  writes: [{ kind: 'account', id: account.id, expected: 'absent', put: account }],
}
const nameOf = async (storage: Storage, id = 'lob_a') => (await storage.get('lobby', id))?.name

/**
 * Opens a file that has the lobby `lob_a`, on a disk that the test controls. The lobby was read, so it is in the cache.
 */
async function withKnown(
  folder: string,
  body: (parts: { path: string; storage: Storage; disk: HeldDisk }) => Promise<void>,
) {
  const path = join(folder, 'store.db')
  const disk = new HeldDisk()
  const storage = storageOver(new Store({ path }, { openLogSync: disk.open }))
  await storage.migrate()
  await released(disk, storage.commit(creation('lob_a', { inviteCode: 'AAAA' })))
  expect(await nameOf(storage)).toBeNull()
  await body({ path, storage, disk })
  await storage.close()
}

async function released<T>(disk: HeldDisk, work: Promise<T>): Promise<T> {
  await turn()
  disk.release()
  return work
}

test('a row that is known is told as it was until its group is durable, then as it is', () =>
  withFolder((folder) =>
    withKnown(folder, async ({ storage, disk }) => {
      const writing = storage.commit(rename(lobby('lob_a', { inviteCode: 'AAAA' }), 'new'))
      await turn()
      expect(disk.waiting).toBe(1)
      expect(await nameOf(storage)).toBeNull()
      disk.release()
      expect(await writing).toEqual({ ok: true })
      expect(await nameOf(storage)).toBe('new')
    }),
  ))

test('what another program writes is seen by the next read, by its id and by its key', () =>
  withFolder((folder) =>
    withKnown(folder, async ({ path, storage }) => {
      const key = uniqueKey.inviteCode('prj_a', 'AAAA')
      expect((await storage.find('lobby', key))?.name).toBeNull()
      const operator = sqliteStorage({ path, beside: true })
      await operator.commit(rename(lobby('lob_a', { inviteCode: 'AAAA' }), 'theirs'))
      expect(await nameOf(storage)).toBe('theirs')
      expect((await storage.find('lobby', key))?.name).toBe('theirs')
      const theirs = await operator.get('lobby', 'lob_a')
      await operator.commit({
        ...rename(theirs as Lobby, 'moved'),
        writes: [{ kind: 'lobby', id: 'lob_a', expected: 2, remove: true }],
      })
      expect(await storage.find('lobby', key)).toBeUndefined()
      await operator.close()
    }),
  ))

test('what another program writes over a group that is on its way is what is read afterwards', () =>
  withFolder((folder) =>
    withKnown(folder, async ({ path, storage, disk }) => {
      const ours = lobby('lob_a', { inviteCode: 'AAAA' })
      const writing = storage.commit(rename(ours, 'ours'))
      await turn()
      const operator = sqliteStorage({ path, beside: true })
      expect(await operator.commit(rename({ ...ours, name: 'ours', version: 2 }, 'theirs'))).toEqual({ ok: true })
      // The snapshot that readers see is older than both writes.
      expect(await nameOf(storage)).toBeNull()
      disk.release()
      await writing
      expect(await nameOf(storage)).toBe('theirs')
      await operator.close()
    }),
  ))

test('of a group that was undone nothing is known', () =>
  withFolder((folder) =>
    withKnown(folder, async ({ storage, disk }) => {
      const full = { ...rename(lobby('lob_a'), 'refused'), id: 'refused' }
      // The commit fails after it has written the lobby, because a job without an instant cannot be written.
      const broken = { ...creation('lob_b'), jobs: [{ ...creation('lob_b').jobs[0], runAt: Number.NaN }] } as Commit
      const [renamed, failed] = [storage.commit(full), storage.commit(broken)].map((one) => one.catch((error) => error))
      for (let group = 0; group < 3; group++) {
        await turn()
        disk.release()
      }
      expect(String(await failed)).toContain('NOT NULL')
      expect(await storage.get('lobby', 'lob_b')).toBeUndefined()
      expect(await renamed).toEqual({ ok: true })
      expect(await nameOf(storage)).toBe('refused')
    }),
  ))

test('after a sync that failed it is what the file holds that is told', () =>
  withFolder((folder) =>
    withKnown(folder, async ({ storage, disk }) => {
      const writing = storage.commit(rename(lobby('lob_a', { inviteCode: 'AAAA' }), 'doubt')).catch((error) => error)
      await turn()
      disk.fail(new SqliteDatabase.SqliteError('fdatasync', 'SQLITE_IOERR_FSYNC'))
      expect(await writing).toBeInstanceOf(Error)
      // The commit was not undone: the log was applied when the file was opened again.
      expect(await nameOf(storage)).toBe('doubt')
    }),
  ))

test('nobody can change what others are told', () =>
  withFolder((folder) =>
    withKnown(folder, async ({ storage, disk }) => {
      await released(disk, storage.commit(opening))
      const read = await storage.get('account', account.id)
      expect(() => Object.assign(read?.plan ?? {}, { id: 'studio' })).toThrow(TypeError)
      expect(await storage.get('account', account.id)).toEqual(account)
      const again = (await storage.get('lobby', 'lob_a')) as Lobby
      expect(() => Object.assign(again, { name: 'mine alone' })).toThrow(TypeError)
      expect(await storage.get('lobby', 'lob_a')).toBe(again)
    }),
  ))

test('a check is judged by what another program has written, also of a row that is known', () =>
  withFolder((folder) =>
    withKnown(folder, async ({ path, storage, disk }) => {
      await released(disk, storage.commit(opening))
      expect(await storage.get('account', account.id)).toEqual(account)
      const operator = sqliteStorage({ path, beside: true })
      const put = { ...account, version: 2, email: 'theirs@example.com' }
      const write = { kind: 'account', id: account.id, expected: 1, put } as const
      expect(await operator.commit({ ...opening, id: 'theirs', writes: [write] })).toEqual({ ok: true })
      const checking = (expected: number): Commit => ({
        ...creation('lob_c'),
        id: `checking ${expected}`,
        checks: [{ kind: 'account', id: account.id, expected }],
      })
      expect(await storage.commit(checking(1))).toEqual({
        ok: false,
        conflict: { kind: 'account', id: account.id, on: 'check' },
      })
      expect(await released(disk, storage.commit(checking(2)))).toEqual({ ok: true })
      await operator.close()
    }),
  ))

test('commits of one group are judged by each other', () =>
  withFolder((folder) =>
    withKnown(folder, async ({ storage, disk }) => {
      const check = { kind: 'account', id: account.id, expected: 1 } as const
      const both = [storage.commit(opening), storage.commit({ ...creation('lob_c'), checks: [check] })]
      expect(await released(disk, Promise.all(both))).toEqual([{ ok: true }, { ok: true }])
    }),
  ))

test("the service's own checkpoints leave what is known", () =>
  withFolder(async (folder) => {
    const store = new Store({ path: join(folder, 'store.db') })
    const storage = storageOver(store)
    await storage.migrate()
    await storage.commit(opening)
    const known = await storage.get('account', account.id)
    await store.checkpoint()
    expect(await storage.get('account', account.id)).toBe(known)
    expect(store.othersWrote()).toBe(false)
    await storage.close()
  }))

test('no more is known than there is room for, and all is told', () =>
  withFolder(async (folder) => {
    const storage = sqliteStorage({ path: join(folder, 'store.db'), synchronous: 'normal' })
    await storage.migrate()
    const name = 'n'.repeat(64 * 1024)
    const ids = Array.from({ length: (2 * KNOWN_TEXT) / name.length }, (_, index) => `lob_${index}`)
    for (const id of ids) await storage.commit({ ...creation(id, { name }), events: [] })
    for (const id of ids) expect((await storage.get('lobby', id))?.name).toBe(name)
    await storage.close()
  }))
