import { writeSync } from 'node:fs'
import { sqliteStorage } from '../../src/index'
import { creation } from './lobbies'

// This program writes until it is killed: bursts of commits of every size. It prints the id of each commit on standard
// output after the commit's acknowledgement.
const [path = '', from = '0'] = process.argv.slice(2)
const storage = sqliteStorage({ path })
await storage.migrate()

/**
 * Writes synchronously and without a buffer, because an acknowledged commit must be printed before the next one begins.
 */
function say(id: string): void {
  let rest = Buffer.from(`${id}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      // The reader is too slow and the pipe is full, so the write is repeated.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}

let next = Number(from)
for (let burst = 0; ; burst = (burst + 1) % 60) {
  const ids = Array.from({ length: 1 + burst }, () => `lob_${next++}`)
  await Promise.all(
    ids.map(async (id) => {
      const { ok } = await storage.commit(creation(id))
      if (ok) say(id)
    }),
  )
}
