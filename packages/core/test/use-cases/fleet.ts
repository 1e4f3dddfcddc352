import { createMatchyard, type Matchyard, type MatchyardOptions, type Region } from '@matchyard/core'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, type FakeLogger, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'

/** A node of a fleet with its own machine. */
export interface FleetNode {
  readonly matchyard: Matchyard
  readonly orchestrator: FakeOrchestrator
  readonly logger: FakeLogger
}

/** Nodes with a machine each, on one storage. */
export interface Fleet {
  readonly clock: FakeClock
  readonly projectId: string
  readonly nodes: ReadonlyMap<string, FleetNode>
  readonly first: Matchyard
  /** Lets time pass for these nodes with a check each second, as their loops do. Default: all nodes. */
  pass(seconds: number, among?: readonly string[]): Promise<void>
  /** Starts one more node. */
  join(nodeId: string, regions?: readonly Region[]): Promise<FleetNode>
  /** Returns the ids of the nodes on which the servers of these ids run. */
  nodesOf(instanceIds: readonly string[]): Promise<(string | null)[]>
}

/** Returns a fleet with these nodes and their regions; undefined: the node serves every region. `moreOf` has options of one node. */
export async function fleet(
  regions: Readonly<Record<string, readonly Region[] | undefined>>,
  more: Partial<MatchyardOptions> = {},
  moreOf: (nodeId: string) => Partial<MatchyardOptions> = () => ({}),
): Promise<Fleet> {
  const clock = new FakeClock()
  const data = emptyMemoryData()
  const nodes = new Map<string, FleetNode>()
  const join = async (nodeId: string, own?: readonly Region[]) => {
    const orchestrator = new FakeOrchestrator(clock)
    const platform = fakePlatform({ clock, seed: nodes.size + 1 })
    const matchyard = createMatchyard({
      ...platform,
      storage: memoryStorage({ data }),
      orchestrator,
      nodeId,
      ...(own === undefined ? {} : { regions: own }),
      ...more,
      ...moreOf(nodeId),
    })
    await matchyard.open()
    nodes.set(nodeId, { matchyard, orchestrator, logger: platform.logger })
    await matchyard.worker.watchNodes()
    return { matchyard, orchestrator, logger: platform.logger }
  }
  for (const [nodeId, own] of Object.entries(regions)) await join(nodeId, own)
  const pass = async (seconds: number, among: readonly string[] = [...nodes.keys()]) => {
    for (let second = 0; second < seconds; second++) {
      for (const [id, { matchyard }] of nodes) {
        if (!among.includes(id)) continue
        await matchyard.worker.watchNodes()
        await matchyard.worker.runDueJobs()
        await matchyard.worker.reconcileServers()
      }
      clock.advance(1_000)
    }
  }
  const [[, { matchyard: first }]] = nodes as unknown as [[string, FleetNode]]
  const { id: projectId } = await first.projects.ensure({ name: 'arena' })
  await first.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await pass(2)
  const nodesOf = async (instanceIds: readonly string[]) => {
    const servers = await Promise.all(instanceIds.map((instanceId) => first.servers.get({ projectId, instanceId })))
    return servers.map(({ nodeId }) => nodeId)
  }
  return { clock, projectId, nodes, first, pass, join, nodesOf }
}

/** Creates a server of this region, or of no region. Returns its id. */
export const asked = async ({ first, projectId }: Fleet, region?: Region) =>
  (await first.servers.create({ projectId, versionTag: 'arena', ...(region === undefined ? {} : { region }) })).id
/** Returns the present record of a server. */
export const server = ({ first, projectId }: Fleet, instanceId: string) => first.servers.get({ projectId, instanceId })

/** Returns a queue whose players list regions, and a function by which a player of these regions searches. */
export async function byRegions(given: Fleet) {
  const { first, projectId } = given
  await first.queues.create({
    ...{ projectId, queueId: 'duel', name: 'Duel', matchmaking: { rules: [{ type: 'region' }] } },
    serverSettings: { versionTag: 'arena' },
  })
  const search = async (playerId: string, regions: readonly Region[]) => {
    const { id: lobbyId } = await first.lobbies.create({
      projectId,
      playerId,
      queueId: 'duel',
      state: { regions: [...regions] },
    })
    await first.lobbies.enqueue({ projectId, lobbyId, playerId })
    return lobbyId
  }
  const tick = () => first.matchmaking.runQueue(`${projectId}/duel`)
  const matches = async () => (await first.matches.list({ projectId })).data.map(({ match }) => match.region)
  return { search, tick, matches }
}
