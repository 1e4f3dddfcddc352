import {
  type AgentFacts,
  AgentHands,
  type LaunchSpec,
  type ObservedBatch,
  type Orchestrator,
  RemoteControl,
  type SentBatch,
  type WantedCall,
} from '@matchyard/core/ports'
import { FakeClock, FakeLogger, FakeOrchestrator } from '@matchyard/testkit'

export const HOST = '203.0.113.7'

/** Facts of an agent whose machine serves Frankfurt. */
export const FACTS: AgentFacts = {
  agentId: 'agt_1',
  release: '0.1.0',
  regions: ['fra'],
  host: HOST,
  limits: { maxServers: 4 },
  capabilities: { buildTypes: ['zip'], limitations: ['no sandbox'], keepsWarm: true },
  beacons: [],
}

/** Spec of a small launch. */
export const specOf = (instanceId: string, more: Partial<LaunchSpec> = {}): LaunchSpec => ({
  instanceId,
  attempt: 1,
  projectId: 'prj_1',
  matchId: null,
  readiness: 'port',
  region: 'fra',
  tier: '1x-1g',
  tierSize: { cpus: 1, memoryGib: 1 },
  build: { type: 'zip', buildId: 'bld_1', executablePath: 'server' },
  startupArgs: '',
  networkPorts: [],
  portRequests: [],
  config: {},
  ...more,
})

/** Resolves when no promise is left that can settle. */
export const still = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Returns the outcome of a call as it stands: `open` until it settles. */
export function outcomeOf<T>(call: Promise<T>) {
  const seen: { state: 'open' | 'done' | 'failed'; value?: T; error?: unknown } = { state: 'open' }
  call.then(
    (value) => Object.assign(seen, { state: 'done', value }),
    (error: unknown) => Object.assign(seen, { state: 'failed', error }),
  )
  return seen
}

/** Returns a remote control without an agent. `connect` opens a stream that collects the calls. */
export function control() {
  const clock = new FakeClock()
  const logger = new FakeLogger()
  const remote = new RemoteControl({ name: 'agents', machineId: 'fra-1', clock, timers: clock, logger })
  const sent: WantedCall[] = []
  let sessions = 0
  let takes = true
  const connect = (facts: Partial<AgentFacts> = {}) => {
    const session = `session_${++sessions}`
    takes = true
    let number = 0
    remote.connect({ ...FACTS, ...facts }, session, (call) => {
      if (takes) sent.push(call)
      return takes
    })
    /** Reports this part of a batch in the next batch of the session. */
    const report = (part: Partial<ObservedBatch>) =>
      remote.hear({ session, number: ++number, answers: [], hints: [], ...part })
    /** Reports the answer to the last call. */
    const answer = (value: unknown) =>
      report({ answers: [{ number: sent.at(-1)?.number ?? 0, value } as ObservedBatch['answers'][number]] })
    return { session, report, answer }
  }
  const refuseCalls = () => {
    takes = false
  }
  return { clock, logger, remote, orchestrator: remote.orchestrator, sent, connect, refuseCalls }
}

/** Returns hands over an orchestrator. `batches` has every send; `reply` decides on the result of each. */
export function hands(orchestrator?: Partial<Orchestrator>, more: { readonly load?: () => Promise<never> } = {}) {
  const clock = new FakeClock()
  const logger = new FakeLogger()
  const fake = new FakeOrchestrator(clock)
  const batches: ObservedBatch[] = []
  const state: { reply: (batch: ObservedBatch) => Promise<SentBatch> } = { reply: async () => 'taken' }
  const send = (batch: ObservedBatch) => {
    batches.push(JSON.parse(JSON.stringify(batch)) as ObservedBatch)
    return state.reply(batch)
  }
  const local = { ...plain(fake), ...orchestrator }
  const agent = new AgentHands({ orchestrator: local, clock, timers: clock, logger, send, ...more })
  const answers = () => batches.flatMap((batch) => batch.answers)
  return { clock, logger, fake, batches, state, agent, answers }
}

/** Returns the orchestrator as an object whose methods can be replaced. */
const plain = (fake: FakeOrchestrator): Orchestrator => ({
  name: fake.name,
  capabilities: fake.capabilities,
  open: () => fake.open(),
  close: () => fake.close(),
  proposePorts: (requests, pool) => fake.proposePorts(requests, pool),
  keepWarm: (pools) => fake.keepWarm(pools),
  admit: (wish) => fake.admit(wish),
  launch: (spec) => fake.launch(spec),
  stop: (instanceId, options) => fake.stop(instanceId, options),
  observe: (of, where) => fake.observe(of, where),
  forget: (instanceId) => fake.forget(instanceId),
  prune: () => fake.prune(),
  logs: (instanceId, options) => fake.logs(instanceId, options),
  prepareImage: (image, log) => fake.prepareImage(image, log),
  subscribe: (listener) => fake.subscribe(listener),
})
