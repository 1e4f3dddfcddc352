import { getHeapStatistics } from 'node:v8'
import { benchService, serve } from './service'

// Server and writer of the feed benchmark, in a process of its own: one project with a given number of changes per
// second.
const LOBBIES = 2_000

const { matchyard, app, projectId } = await benchService()
const owner = await matchyard.accounts.login({ email: 'bench@example.com', password: 'correct horse' })
const key = await matchyard.keys.mint({ accountId: owner.account.id, projectId, type: 'server' })
const lobbies: string[] = []
for (let n = 0; n < LOBBIES; n++) {
  lobbies.push((await matchyard.lobbies.create({ projectId, playerId: `p${n}`, queueId: 'duel' })).id)
}

let changed = 0
const filler = 'x'.repeat(200)

/** Makes all changes that are due by now, also those that a busy event loop has delayed. */
async function keepUp(perSecond: number, startedAt: number): Promise<void> {
  const due = ((performance.now() - startedAt) / 1_000) * perSecond
  while (changed < due) {
    const n = changed++
    const lobbyId = lobbies[n % LOBBIES] ?? ''
    const settings = { n, filler }
    await matchyard.lobbies.updateSettings({ projectId, lobbyId, playerId: `p${n % LOBBIES}`, changes: { settings } })
  }
}

process.on('message', ({ perSecond, forMs }: { perSecond?: number; forMs?: number }) => {
  if (perSecond === undefined || forMs === undefined) {
    global.gc?.()
    const { rss, external, arrayBuffers } = process.memoryUsage()
    const heap = getHeapStatistics().used_heap_size
    process.send?.({
      cpu: process.cpuUsage(),
      rss,
      held: heap + external,
      arrayBuffers,
      changed,
      open: app.openStreams(),
    })
    return
  }
  changed = 0
  const startedAt = performance.now()
  const timer = setInterval(() => {
    if (performance.now() - startedAt < forMs) return void keepUp(perSecond, startedAt)
    clearInterval(timer)
    process.send?.({ done: true })
  }, 10)
})
process.send?.({ port: await serve(app.fetch), serverKey: key.value ?? '' })
