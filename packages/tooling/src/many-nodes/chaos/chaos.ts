import { seeded } from '../../rounds'
import { startCluster } from '../cluster'
import { checkMatches, DUEL_QUEUE, playDuels } from './duels'
import { DISKS_FILLED, disturb } from './faults'
import { FeedFollowing } from './feed-following'
import { checkSettled, GAMES_QUEUE, playGames, uploadGame } from './games'
import { ChaosGround } from './ground'
import { checkSearchers, playSearches, SEARCH_QUEUES, SEARCHERS, watchSearchers } from './searches'
import { playSeats, SEATS, SEATS_QUEUE } from './seats'
import { stallReaders } from './stalled-readers'
import { ChaosWorld } from './world'

export interface ChaosReport {
  readonly seed: number
  /** Violations of the service's guarantees, as sentences; empty when there were none. */
  readonly violations: readonly string[]
  /** Text with the number of calls, events and faults of the run. */
  readonly tally: string
  /** Kinds of faults that this machine cannot cause, for example because the tests do not run as root. */
  readonly notMade: readonly string[]
}

/**
 * Runs a mixed load on three nodes while faults occur. Nodes are killed or suspended and come back, and PostgreSQL
 * restarts twice. Connections are closed or stop passing data, disks are full for some time, and some clients never
 * read their streams. The seed decides the actions but not their exact times, so a seed repeats a run only roughly.
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
      ...SEARCHERS.map((player) => playSearches(world, player)),
      watchSearchers(world),
      playGames(world),
      stallReaders(world),
    ]
    const loaded = Promise.all(load)
    // The `await` below reports the rejection. Without this handler, the rejection would end the process before.
    loaded.catch(() => {})
    await disturb(world, seconds)
    world.loading = false
    await loaded
    await checkSettled(world)
    await checkMatches(world)
    await checkSearchers(world)
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
    ...SEARCH_QUEUES.map((queue) => ({
      ...queue,
      name: queue.queue_id,
      matchmaking: { teams: 2, players_per_team: 1 },
    })),
    { queue_id: GAMES_QUEUE, name: 'Games', server_settings: { version_tag: GAMES_QUEUE, network_ports } },
  ]) {
    const { status, body: answer } = await world.insist({
      method: 'POST',
      path: '/v1/queues',
      key: world.cluster.serverKey,
      body,
    })
    if (status !== 201) throw new Error(`a queue was not created: ${JSON.stringify(answer)}`)
  }
  await uploadGame(world)
}
