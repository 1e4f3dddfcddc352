import { embeddedService } from '../src/embedded-service'

/**
 * Measures the cost of open proposals for an idle service: CPU time over some seconds, with lobbies only and with
 * 10,000 proposals that wait for answers. `npm run bench -- proposals`.
 */
const PROPOSALS = Number(process.argv[2] ?? 10_000)
const IDLE_SECONDS = 15
const AT_ONCE = 200

const { service, projectId, stop } = await embeddedService()
const { lobbies, queues, matchmaking } = service.matchyard

const later = (seconds: number) => new Promise<void>((resolve) => void setTimeout(resolve, seconds * 1_000))

async function idleMs(): Promise<number> {
  // The work that creating the lobbies left behind must end first.
  await later(5)
  const before = process.cpuUsage()
  await later(IDLE_SECONDS)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / IDLE_SECONDS
}

const queueId = 'asked'
const rules = { teams: 2, playersPerTeam: 1, readyCheck: { timeoutSeconds: 120 } }
await queues.create({ projectId, queueId, name: 'Asked', matchmaking: rules, lobbyTtlSeconds: 3_600 })
const empty = await idleMs()
console.log(`${empty.toFixed(2)} ms of processor time a second, empty`)

const made: { lobbyId: string; playerId: string }[] = []
for (let first = 0; first < 2 * PROPOSALS; first += AT_ONCE) {
  const batch = Array.from({ length: Math.min(AT_ONCE, 2 * PROPOSALS - first) }, async (_, index) => {
    const playerId = `player-${first + index}`
    made.push({ lobbyId: (await lobbies.create({ projectId, queueId, playerId })).id, playerId })
  })
  await Promise.all(batch)
}
const lobbiesOnly = await idleMs()
console.log(`${lobbiesOnly.toFixed(2)} ms, with ${made.length} lobbies that wait for their players`)

const startedAt = performance.now()
for (let first = 0; first < made.length; first += AT_ONCE) {
  await Promise.all(made.slice(first, first + AT_ONCE).map((on) => lobbies.enqueue({ projectId, ...on })))
}
await matchmaking.runQueue(`${projectId}/${queueId}`)
const held = async () => {
  const all = await Promise.all(
    made.slice(0, 50).map(({ lobbyId }) => lobbies.get({ projectId, lobbyId, backend: true })),
  )
  return all.filter(({ proposal }) => proposal !== undefined).length
}
while ((await held()) < 50) await later(0.2)
console.log(`${PROPOSALS} proposals were under way after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
const asked = await idleMs()
if ((await held()) < 50) throw new Error('the proposals were over before the end of the measurement')
console.log(
  `${asked.toFixed(2)} ms, with ${PROPOSALS} proposals under way: ${(asked / lobbiesOnly).toFixed(2)} of what the same lobbies cost without`,
)
await stop()
process.exit()
