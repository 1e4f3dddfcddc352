import { writeSync } from 'node:fs'
import { sqliteStorage } from '../../src/index'
import { creation } from './lobbies'

// Writes until it is killed: bursts of commits of every size, each named on stdout once it was acknowledged.
const [path = '', from = '0'] = process.argv.slice(2)
const storage = sqliteStorage({ path })
await storage.migrate()

/** At once and past any buffer of ours: what was acknowledged must be out before the next commit begins. */
function say(id: string): void {
  let rest = Buffer.from(`${id}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      // The reader is behind and the pipe is full.
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
