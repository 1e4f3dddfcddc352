import {
  type AgentFacts,
  type AgentStream,
  createMatchyard,
  type Matchyard,
  type Region,
  type WantedCall,
} from '@matchyard/core'
import { agentsOrchestrator } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeLogger, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { AgentHands } from '../../src/agent/agent-hands'

/** Agent with the machine on which it starts servers. */
export interface TestAgent {
  readonly orchestrator: FakeOrchestrator
  readonly ends: string[]
  /** Connects to a node. */
  connect(to: Matchyard, more?: Partial<AgentFacts>): Promise<void>
  /** Cuts the connection; the node notices it. */
  cut(): void
}

/** Nodes on one storage, without machines of their own, and the agents of machines. */
export interface Installation {
  readonly clock: FakeClock
  readonly nodes: readonly Matchyard[]
  readonly logger: FakeLogger
  readonly projectId: string
  /** Lets time pass, in steps of 100 ms. */
  live(ms: number): Promise<void>
  /** Creates the machine with a token, and returns its agent. */
  agent(machineId: string, regions: readonly Region[]): Promise<TestAgent>
  /** Creates a server, and returns its id. */
  ask(region?: Region): Promise<string>
  /** Returns the record of a server. */
  server(id: string): ReturnType<Matchyard['servers']['get']>
}

const settled = async (turns = 60) => {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Returns an installation with this number of nodes, all started. */
export async function installation(count = 1): Promise<Installation> {
  const clock = new FakeClock()
  const data = emptyMemoryData()
  const logger = new FakeLogger()
  const nodes = Array.from({ length: count }, (_, index) =>
    createMatchyard({
      ...fakePlatform({ clock, seed: index + 1 }),
      ...{ logger, storage: memoryStorage({ data }), orchestrator: agentsOrchestrator, nodeId: `node_${index + 1}` },
    }),
  )
  for (const node of nodes) await node.start()
  const [first] = nodes as [Matchyard]
  const { id: projectId } = await first.projects.ensure({ name: 'arena' })
  const live = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      await settled(12)
      clock.advance(100)
    }
    await settled()
  }
  const agent = async (machineId: string, regions: readonly Region[]): Promise<TestAgent> => {
    await first.machines.mintToken({ name: machineId })
    const orchestrator = new FakeOrchestrator(clock)
    const ends: string[] = []
    let to: Matchyard | undefined
    let stream: AgentStream | undefined
    let connections = 0
    const hands = new AgentHands({
      ...{ orchestrator, clock, timers: clock, logger },
      send: async (batch) => {
        const effect = to?.agents.hear({ machineId, batch }) ?? 'elsewhere'
        if (effect === 'elsewhere') throw new Error('nobody takes the batch')
        return effect === 'heard' ? 'taken' : effect
      },
    })
    return {
      orchestrator,
      ends,
      async connect(node, more = {}) {
        to = node
        const facts: AgentFacts = {
          ...{ agentId: `agent of ${machineId}`, release: '1', regions, host: '10.0.0.1', limits: {}, beacons: [] },
          capabilities: orchestrator.capabilities,
          ...more,
        }
        const calls: WantedCall[] = []
        const own = ++connections
        let isOpen = false
        stream = await node.agents.connect({
          ...{ machineId, facts },
          send: (call) => {
            if (!isOpen) calls.push(call)
            else if (own === connections) hands.hear(call)
            return true
          },
          onEnd: (reason) => void ends.push(reason),
        })
        hands.begin(stream.session)
        isOpen = true
        for (const call of calls) hands.hear(call)
      },
      cut: () => stream?.cut(),
    }
  }
  await first.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  const ask = async (region?: Region) =>
    (await first.servers.create({ projectId, versionTag: 'arena', ...(region === undefined ? {} : { region }) })).id
  return {
    ...{ clock, nodes, logger, projectId, live, agent, ask },
    server: (instanceId) => first.servers.get({ projectId, instanceId }),
  }
}
