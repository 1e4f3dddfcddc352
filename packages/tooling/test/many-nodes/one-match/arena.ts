import { createMatchyard, type Lobby, type Matchyard, ServiceError } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { FakeClock, fakePlatform } from '@matchyard/testkit'

export const QUEUES = ['north', 'south', 'west', 'late'] as const
export type QueueId = (typeof QUEUES)[number]
const DUEL = { teams: 2, playersPerTeam: 1 }
const LATE = { teams: 1, playersPerTeam: 2, lateJoin: true, backfill: { automatic: true } }
/** The third queue takes parties of two players. In the last one, players may come into a match that has begun. */
const MATCHMAKING = { north: DUEL, south: DUEL, west: { teams: 2, playersPerTeam: 2 }, late: LATE }

export interface Seat {
  readonly projectId: string
  readonly lobbyId: string
  readonly playerId: string
}

/** Returns 'ok' or the code of the refusal. */
export const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof ServiceError ? error.code : Promise.reject(error)),
  )

/**
 * Three nodes on one store. The lease of a queue's director is granted to all nodes, so that only the versions of rows
 * and the unique keys of players decide a race.
 */
export class Arena {
  private turn = 0
  private players = 0

  private constructor(
    readonly nodes: readonly Matchyard[],
    readonly projectId: string,
    /** Clock of all nodes. */
    private readonly clock: FakeClock,
  ) {}

  /** Opens three nodes; `handle` returns the storage of a node. */
  static async open(handle: () => Storage): Promise<Arena> {
    const nodes: Matchyard[] = []
    const clock = new FakeClock()
    for (let node = 0; node < 3; node++) {
      const storage = handle()
      const leases = { ...storage.leases, acquire: async () => true }
      const platform = fakePlatform({ clock, seed: node + 1 })
      const matchyard = createMatchyard({ ...platform, storage: { ...storage, leases }, nodeId: `node_${node}` })
      await matchyard.open()
      nodes.push(matchyard)
    }
    const [first] = nodes as [Matchyard]
    const { id: projectId } = await first.projects.ensure({ name: 'races' })
    for (const queueId of QUEUES) {
      await first.queues.create({ projectId, queueId, name: queueId, matchmaking: MATCHMAKING[queueId] })
    }
    return new Arena(nodes, projectId, clock)
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()))
  }

  /** Returns one node after another. */
  next(): Matchyard {
    return this.nodes[this.turn++ % this.nodes.length] as Matchyard
  }

  newPlayer(): string {
    return `player_${this.players++}`
  }

  async lobby(queueId: QueueId, playerId = this.newPlayer()): Promise<Seat> {
    const { projectId } = this
    const { id: lobbyId } = await this.next().lobbies.create({ projectId, queueId, playerId })
    return { projectId, lobbyId, playerId }
  }

  async searching(queueId: QueueId, playerId = this.newPlayer()): Promise<Seat> {
    const seat = await this.lobby(queueId, playerId)
    // Each party is a millisecond younger than the party before, so that directors take parties in the same order.
    this.clock.advance(1)
    await this.next().lobbies.enqueue(seat)
    return seat
  }

  /** Puts two new players into a match without a server, which has begun. */
  async playing(queueId: QueueId): Promise<readonly [Seat, Seat]> {
    const pair = [await this.searching(queueId), await this.searching(queueId)] as const
    const node = this.next()
    await this.tick(node, queueId)
    await node.worker.runDueJobs()
    return pair
  }

  tick(node: Matchyard, queueId: QueueId) {
    return node.matchmaking.runQueue(`${this.projectId}/${queueId}`)
  }

  /** Runs the due jobs on all nodes. */
  async work(): Promise<void> {
    for (const node of this.nodes) await node.worker.runDueJobs()
  }

  read(seat: Seat, node = this.next()): Promise<Lobby> {
    return node.lobbies.get({ projectId: this.projectId, lobbyId: seat.lobbyId, backend: true })
  }

  async matchOf(matchId: string, node = this.next()) {
    return (await node.matches.get({ projectId: this.projectId, matchId })).match
  }

  /** Returns the id of the player's live match, as each node sees it. */
  async liveMatches(playerId: string): Promise<(string | undefined)[]> {
    const { projectId } = this
    const seen = await Promise.all(this.nodes.map((node) => node.players.self({ projectId, playerId })))
    return seen.map(({ liveMatch }) => liveMatch?.matchId)
  }

  /** Deletes lobbies, also those in a match, so that no round leaves a player for the next. */
  async clear(...seats: readonly Seat[]): Promise<void> {
    const { projectId } = this
    await Promise.all(
      seats.map(({ lobbyId }) => outcomeOf(this.next().lobbies.delete({ projectId, lobbyId, backend: true }))),
    )
  }
}
