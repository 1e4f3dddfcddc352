import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { skipWithout } from '@matchyard/tooling/needs'
import { expect, type TestContext, test } from 'vitest'
import { inspectSqlite, sqliteStorage } from '../src/index'
import { storageOver } from '../src/storage-over'
import { Store } from '../src/store'
import { withFolder } from '../src/testing/harness'
import { child } from './support/child'
import { creation } from './support/lobbies'

/** Runs a test on a small file system, which only root can create. */
async function withSmallDisk(
  context: TestContext,
  body: (folder: string) => Promise<void>,
  size = '2m',
): Promise<void> {
  await withFolder(async (folder) => {
    const disk = join(folder, 'disk')
    await mkdir(disk)
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', disk])
    if (status !== 0) skipWithout(context, 'a disk of its own', 'mount refuses')
    try {
      await body(disk)
    } finally {
      // The unmount is lazy, because a failed test has not closed its file.
      spawnSync('umount', ['-l', disk])
    }
  })
}

test('a disk that is really full: no ping and no commit, reads go on, and all is well with room again', (context) =>
  withSmallDisk(context, async (disk) => {
    const storage = sqliteStorage({ path: join(disk, 'store.db') })
    await storage.migrate()
    await storage.commit(creation('lob_first'))
    await storage.ping()
    const rest = join(disk, 'rest')
    await writeFile(rest, Buffer.alloc(4 * 1024 * 1024)).catch(() => {})

    // Commits that fit into the log are still accepted, and a ping needs one page of the log.
    const large = { text: 'x'.repeat(100_000) }
    const refused = (n: number) =>
      storage.commit(creation(`lob_${n}`, { settings: large })).then(() => false as const, String)
    let commits = 0
    let refusal: string | false = false
    while (refusal === false && commits < 100) refusal = await refused(commits++)
    expect(refusal).toMatch(/the disk is full/)
    const pings: string[] = []
    while (!pings.at(-1)?.includes('the disk is full') && pings.length < 100)
      pings.push(await storage.ping().then(() => 'taken', String))
    expect(pings.at(-1)).toMatch(/the disk is full/)
    await expect(storage.commit(creation('lob_second'))).rejects.toThrow(/the disk is full/)
    expect((await storage.get('lobby', 'lob_first'))?.id).toBe('lob_first')
    expect(await storage.get('lobby', 'lob_second')).toBeUndefined()

    await rm(rest)
    await storage.ping()
    expect(await storage.commit(creation('lob_second'))).toEqual({ ok: true })
    await storage.close()
  }))

test.for(['as the kill left it', 'without what its connections shared'])(
  'a file that was killed on a full disk opens, %s: it is read, writes are refused, and taken once there is room',
  (shared, context) =>
    withSmallDisk(
      context,
      async (disk) => {
        const path = join(disk, 'store.db')
        const writer = child('killed-writer', path, '0')
        let said = 0
        for await (const _ of writer.lines) if (++said === 100) writer.process.kill('SIGKILL')
        await writer.ended
        expect(existsSync(`${path}-reserve`)).toBe(true)
        const rest = join(disk, 'rest')
        if (shared !== 'as the kill left it') await rm(`${path}-shm`)
        await writeFile(rest, Buffer.alloc(128 * 1024 * 1024)).catch(() => {})

        let now = 0
        const storage = storageOver(new Store({ path }, { now: () => now }))
        await storage.migrate()
        expect(await storage.counters.read('lobbies')).toBeGreaterThanOrEqual(said)
        // Commits that still fit into the log may be accepted before it is full.
        const large = { text: 'x'.repeat(100_000) }
        const refusals: string[] = []
        for (let n = 0; refusals.length === 0 && n < 100; n++) {
          now += 2_000
          await storage
            .commit(creation(`lob_x${n}`, { settings: large }))
            .catch((error) => refusals.push(String(error)))
        }
        expect(refusals[0]).toMatch(/the disk is full/)
        expect((await storage.get('lobby', 'lob_0'))?.id).toBe('lob_0')
        expect(inspectSqlite(path)?.damage).toEqual([])

        await rm(rest)
        now += 2_000
        await storage.ping()
        expect(await storage.commit(creation('lob_late'))).toEqual({ ok: true })
        await storage.close()
      },
      '64m',
    ),
)
