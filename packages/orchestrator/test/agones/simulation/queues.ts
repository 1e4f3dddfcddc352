import type { World } from './world'

export const IMAGE = `registry.test/arena@sha256:${'a'.repeat(64)}`
export const udp = { name: 'game', protocol: 'udp', internalPort: 7_000, tlsEnabled: false } as const
export const tcp = { name: 'web', protocol: 'tcp', internalPort: 8_080, tlsEnabled: false } as const

// Who waits alone, since a node died before the other one was let in, waits no longer than the calm.
const duel = { teams: 2, playersPerTeam: 1, rules: [], timeoutSeconds: 100 }

/** Each with ports of its own, by which a pool is known. */
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

/** Queues want nothing to wait any more. */
export async function wantNothing(world: World): Promise<void> {
  if (!world.isWarmWanted) return
  const { projectId } = world
  world.isWarmWanted = false
  for (const { queueId, serverSettings } of QUEUES) {
    let isDone = false
    const done = () => {
      isDone = true
    }
    // A node that dies meanwhile answers never.
    for (let tries = 0; tries < 100 && !isDone; tries++) {
      const matchyard = world.services.find((one) => one.matchyard !== undefined)?.matchyard
      matchyard?.queues.update({ projectId, queueId, changes: { serverSettings } }).then(done, () => {})
      await world.pass(1_000)
    }
  }
}
