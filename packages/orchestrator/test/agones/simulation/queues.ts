import type { World } from './world'

export const IMAGE = `registry.test/arena@sha256:${'a'.repeat(64)}`
export const udp = { name: 'game', protocol: 'udp', internalPort: 7_000, tlsEnabled: false } as const
export const tcp = { name: 'web', protocol: 'tcp', internalPort: 8_080, tlsEnabled: false } as const

// A node may die before the second player entered. The first player then waits alone, but the timeout is shorter than
// the calm phase.
const duel = { teams: 2, playersPerTeam: 1, rules: [], timeoutSeconds: 100 }

/** Queues with different ports, by which the test identifies their pools. */
export const QUEUES = [
  {
    queueId: 'duel',
    name: 'a server',
    matchmaking: duel,
    serverSettings: { versionTag: 'arena', networkPorts: [udp] },
    warm: { min: 0, buffer: 2 },
  },
  {
    queueId: 'hardy',
    name: 'a server that is restarted and has a ttl',
    matchmaking: duel,
    serverSettings: { versionTag: 'arena', networkPorts: [udp, tcp], autoRestart: true, ttl: 90 },
    warm: { min: 2, buffer: 1 },
  },
] as const

/** Changes the queues so that no game servers are to wait any more. */
export async function wantNothing(world: World): Promise<void> {
  if (!world.isWarmWanted) return
  const { projectId } = world
  world.isWarmWanted = false
  for (const { queueId, serverSettings } of QUEUES) {
    let isDone = false
    const done = () => {
      isDone = true
    }
    // A node that dies meanwhile never answers.
    for (let tries = 0; tries < 100 && !isDone; tries++) {
      const matchyard = world.services.find((one) => one.matchyard !== undefined)?.matchyard
      matchyard?.queues.update({ projectId, queueId, changes: { serverSettings } }).then(done, () => {})
      await world.pass(1_000)
    }
  }
}
