import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sqliteStorage } from '../src/index'
import { SqliteDatabase } from '../src/library'
import { withFolder } from '../src/testing/harness'
import { child } from './support/child'

const cycles = Number(process.env.MATCHYARD_KILL_CYCLES ?? 20)

/** Runs the writer until it has acknowledged a number of commits, kills it at once, and returns its output. */
async function writeAndKill(path: string, from: number, acknowledged: number): Promise<string[]> {
  const writer = child('killed-writer', path, String(from))
  const said: string[] = []
  for await (const line of writer.lines) {
    said.push(line)
    if (said.length === acknowledged) writer.process.kill('SIGKILL')
  }
  await writer.ended
  expect(writer.process.signalCode).toBe('SIGKILL')
  return said
}

function rawLook(path: string) {
  const db = new SqliteDatabase(path, { readonly: true })
  try {
    const count = (table: string) => Number(db.prepare(`select count(*) from ${table}`).pluck().get())
    return {
      integrity: db.pragma('integrity_check', { simple: true }),
      counts: ['lobby', 'stream_event', 'job', 'commit_log'].map(count),
      keptTotal: db.prepare('select sum(n) from lobby_count').pluck().get(),
    }
  } finally {
    db.close()
  }
}

test(
  `kill -9 at a random moment, ${cycles} times: no acknowledged write is lost`,
  { timeout: 60_000 + cycles * 15_000 },
  () =>
    withFolder(async (folder) => {
      const path = join(folder, 'store.db')
      const acknowledged: string[] = []
      let from = 0
      for (let cycle = 0; cycle < cycles; cycle++) {
        // Most writers are killed during a burst of commits, and some before the end of the first burst.
        const moment = 1 + Math.floor(Math.random() ** 2 * 1_500)
        acknowledged.push(...(await writeAndKill(path, from, moment)))
        from += 1_000_000

        const storage = sqliteStorage({ path })
        await storage.migrate()
        const found = await storage.getMany('lobby', acknowledged)
        expect(found.length, `cycle ${cycle}, killed after ${moment}`).toBe(acknowledged.length)
        for (const id of acknowledged.slice(-50)) {
          expect(await storage.commits.find(`commit of ${id}`)).toBe(true)
          expect(await storage.events.range(id)).toEqual({ oldest: 1, newest: 1 })
        }
        const total = await storage.counters.read('lobbies')
        await storage.close()

        // A commit without an acknowledgement is stored completely or not at all.
        const { integrity, counts, keptTotal } = rawLook(path)
        expect(integrity).toBe('ok')
        expect([...counts, keptTotal], `cycle ${cycle}`).toEqual([total, total, total, total, total])
        expect(total).toBeGreaterThanOrEqual(acknowledged.length)
      }
    }),
)
