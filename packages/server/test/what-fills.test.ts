import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeLogger } from '@matchyard/testkit'
import { describe, expect, test, vi } from 'vitest'
import { fillsInWords, tellingWhatFills, whatFills } from '../src/service/what-fills'

const MB = 1024 * 1024

async function withPlace(body: (place: { dataDirectory: string; databaseUrl: string }) => Promise<void>) {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'matchyard-fills-'))
  const file = join(dataDirectory, 'matchyard.db')
  try {
    await mkdir(join(dataDirectory, 'servers', 'one', 'logs'), { recursive: true })
    await mkdir(join(dataDirectory, 'builds'))
    await writeFile(file, Buffer.alloc(2 * MB, 1))
    await writeFile(`${file}-wal`, Buffer.alloc(MB, 1))
    await writeFile(join(dataDirectory, 'servers', 'one', 'logs', 'journal'), Buffer.alloc(3 * MB, 1))
    await writeFile(join(dataDirectory, 'builds', 'archive.zip'), Buffer.alloc(4 * MB, 1))
    await body({ dataDirectory, databaseUrl: `sqlite:${file}` })
  } finally {
    await rm(dataDirectory, { recursive: true, force: true })
  }
}

describe('what fills a disk', () => {
  test('is told by what it is of, in megabytes', () =>
    withPlace(async (place) => {
      const fills = await whatFills(place)
      expect(fills.free).toBeGreaterThan(0)
      expect([fills.database, fills.wal, fills.builds, fills.gameServers].map(Math.round)).toEqual([2, 1, 4, 3])
      expect(Math.round(fills.dataFolder)).toBe(10)
      expect(fillsInWords(fills)).toMatch(/MB free; database 2(\.\d)? MB, its -wal 1(\.\d)? MB, builds 4/)
    }))

  test('looks at no more files than its bound', () =>
    withPlace(async (place) => {
      expect(Math.round((await whatFills(place, 2)).dataFolder)).toBe(0)
    }))
})

describe('a full disk', () => {
  test('is told once a minute, with what fills it, and all else as it comes', () =>
    withPlace(async (place) => {
      const logger = new FakeLogger()
      let now = 0
      const telling = tellingWhatFills(logger, place, () => now)
      const full = () => telling.error('SQLite file x: the disk is full (SQLITE_FULL)')
      const told = () => logger.lines.filter(({ message }) => message.includes('full'))
      full()
      full()
      telling.error('the disk fails')
      await vi.waitFor(() => expect(told()).toHaveLength(1))
      expect(told()[0]?.fields).toMatchObject({ megabytes: { builds: expect.any(Number), wal: expect.any(Number) } })
      now = 59_999
      full()
      now = 60_000
      full()
      await vi.waitFor(() => expect(told()).toHaveLength(2))
      expect(logger.lines).toHaveLength(3)
    }))
})
