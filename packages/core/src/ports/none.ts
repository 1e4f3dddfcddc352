import type { BuildStore } from './build-store'
import { AddressRefused, type GuardedFetch } from './guarded-fetch'
import type { Orchestrator } from './orchestrator'
import type { Payments } from './payments'
import { PeerSilent, type Peers } from './peers'
import type { PlayerTokens } from './player-tokens'

const NO_SERVERS = 'this installation cannot launch game servers; configure an orchestrator'

/** Orchestrator of an installation that launches no game servers, because the studios run their own. Matches begin without a launch. */
export const noOrchestrator: Orchestrator = {
  name: 'none',
  capabilities: { buildTypes: [], limitations: [NO_SERVERS], keepsWarm: false },
  open: async () => {},
  close: async () => {},
  proposePorts: async () => [],
  keepWarm: async () => [],
  admit: async () => ({ ok: true }),
  launch: async () => ({ ok: false, reason: 'final', message: NO_SERVERS }),
  stop: async () => {},
  observe: async () => [],
  forget: async () => {},
  prune: async () => {},
  logs: async () => [],
  prepareImage: async () => ({ ok: false, message: NO_SERVERS }),
  subscribe: () => () => {},
}

const ON_AGENTS = 'game servers run on the machines of agents'

/**
 * Orchestrator of a node in an installation whose game servers run on the machines of agents (`matchyard.agents`). The node itself runs no
 * game servers.
 */
export const agentsOrchestrator: Orchestrator = {
  ...noOrchestrator,
  name: 'agents',
  noMachine: true,
  capabilities: { buildTypes: ['zip', 'docker_image'], limitations: [], keepsWarm: true },
  admit: async () => ({ ok: false, reason: 'full', message: ON_AGENTS }),
  launch: async () => ({ ok: false, reason: 'no_room', message: ON_AGENTS }),
  prepareImage: async () => ({ ok: false, message: ON_AGENTS }),
}

/** Whether this installation can launch game servers. */
export const launchesServers = ({ capabilities }: Pick<Orchestrator, 'capabilities'>): boolean =>
  capabilities.buildTypes.length > 0

const NO_BUILDS = 'this installation cannot accept uploads; configure a build store'

/** Build store of an installation without uploads. */
export const noBuildStore: BuildStore = {
  name: 'none',
  direct: null,
  logs: null,
  receive: async () => {
    throw new Error(NO_BUILDS)
  },
  has: async () => false,
  inspect: async () => ({ ok: false, message: NO_BUILDS }),
  unpack: async () => {
    throw new Error(NO_BUILDS)
  },
  locate: async () => undefined,
  read: () => {
    throw new Error(NO_BUILDS)
  },
  remove: async () => {},
  sweep: async () => {},
}

/** Payment processor that accepts no cards, so that no account can be upgraded by mistake. */
export const noPayments: Payments = {
  name: 'none',
  attach: async () => ({
    ok: false,
    message: 'this installation cannot accept payments; configure a payment processor',
  }),
}

const NO_CALLS =
  'this installation cannot send requests to other addresses; configure `guardedFetch` of `nodePlatform({ secret })`'

/** Guarded fetch that refuses every address, for installations without calls to addresses of customers. */
export const noGuardedFetch: GuardedFetch = {
  fetch: async () => {
    throw new AddressRefused(NO_CALLS)
  },
  check: async () => {
    throw new AddressRefused(NO_CALLS)
  },
}

/** Verifier for which every player token is invalid. */
export const noPlayerTokens: PlayerTokens = { read: () => undefined, verify: async () => false }

/** Peers of a node that never calls another node. */
export const noPeers: Peers = {
  url: undefined,
  logs: async () => {
    throw new PeerSilent('this node asks no other one')
  },
}
