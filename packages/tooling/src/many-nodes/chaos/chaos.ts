import { seeded } from '../../rounds'
import { startCluster } from '../cluster'
import { checkMatches, DUEL_QUEUE, playDuels } from './duels'
import { DISKS_FILLED, disturb } from './faults'
import { FeedFollowing } from './feed-following'
import { checkSettled, GAMES_QUEUE, playGames, uploadGame } from './games'
import { ChaosGround } from './ground'
import { playSeats, SEATS, SEATS_QUEUE } from './seats'
import { stallReaders } from './stalled-readers'
import { ChaosWorld } from './world'

export interface ChaosReport {
  readonly seed: number
  /** Violations in words; empty when none occurred. */
  readonly violations: readonly string[]
  /** Counts of the events. */
  readonly tally: string
  /** Kinds of attack that cannot be made on this machine. */
  readonly notMade: readonly string[]
}

/**
 * Mixed load on three nodes while they are killed, stand still and come back, PostgreSQL restarts twice, connections are cut or
 * fall silent, disks are full for a while, and some readers never read. The seed draws what is done; when things meet is the machine's affair, so a seed repeats a run only roughly.
 */
export async function chaos(seconds: number): Promise<ChaosReport> {
  const { seed, next } = seeded()
  console.log(`chaos for ${seconds} s with MATCHYARD_SEED=${seed}`)
  const ground = new ChaosGround()
  const cluster = await startCluster(3, ground)
  const world = new ChaosWorld(cluster, ground, next)
  try {
    await furnish(world)
    const dashboard = new FeedFollowing(world)
    const load = [
      playSeats(world),
      playSeats(world),
      ...['red', 'blue', 'green', 'black'].map((name) => playDuels(world, name)),
      playGames(world),
      stallReaders(world),
    ]
    const loaded = Promise.all(load)
    // A part of the load that breaks is told when it is waited for.
    loaded.catch(() => {})
    await disturb(world, seconds)
    world.loading = false
    await loaded
    await checkSettled(world)
    await checkMatches(world)
    await dashboard.finish()
    const notMade = ground.disks.size === 0 ? [DISKS_FILLED] : []
    return { seed, violations: world.violations, tally: world.tally, notMade }
  } finally {
    world.loading = false
    ground.calm()
    await cluster.stop()
  }
}

async function furnish(world: ChaosWorld): Promise<void> {
  const network_ports = [{ name: 'game', protocol: 'udp', internal_port: 7777 }]
  for (const body of [
    { queue_id: SEATS_QUEUE, name: 'Seats', max_players: SEATS },
    { queue_id: DUEL_QUEUE, name: 'Duel', matchmaking: { teams: 2, players_per_team: 1 } },
    { queue_id: GAMES_QUEUE, name: 'Games', server_settings: { version_tag: GAMES_QUEUE, network_ports } },
  ]) {
    await world.insist({ method: 'POST', path: '/v1/queues', key: world.cluster.serverKey, body })
  }
  await uploadGame(world)
}
