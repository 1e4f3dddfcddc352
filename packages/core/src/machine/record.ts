import type { Region } from '../catalog/regions'
import { DAY_MS, type Instant } from '../shared/time'
import type { MachineBeacon } from './beacon'

/**
 * Kinds of machines. `node`: a node with its own orchestrator. `agent`: a machine without the database, whose agent connects with a token.
 * `cluster`: an orchestrator that several nodes share.
 */
export const MACHINE_KINDS = ['node', 'agent', 'cluster'] as const
/** Kind of a machine, one of `MACHINE_KINDS`. */
export type MachineKind = (typeof MACHINE_KINDS)[number]

/** Rule for the names of machines, as the end of a sentence. */
export const MACHINE_NAME_RULE =
  'must be up to 64 letters, digits, dots, dashes and underscores, and begin with a letter or a digit'

/** Whether a text can be the name of a node or of an agent's machine. */
export const isMachineName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)

/** Statuses of a machine in its record. */
export const RECORDED_MACHINE_STATUSES = ['ready', 'cordoned', 'draining', 'drained'] as const
export type RecordedMachineStatus = (typeof RECORDED_MACHINE_STATUSES)[number]

/** Statuses of a machine as operators see them. A machine without a recent report is `lost`, which no record says. */
export const MACHINE_STATUSES = [...RECORDED_MACHINE_STATUSES, 'lost'] as const
/** Status of a machine as operators see it, one of `MACHINE_STATUSES`. */
export type MachineStatus = (typeof MACHINE_STATUSES)[number]

/** Pause that a machine takes by itself, because launches on it failed for reasons of the machine. */
export interface MachineRest {
  /** Instant at which the machine takes servers again. */
  readonly until: Instant
  /** Number of pauses in a row. Each pause is twice as long as the one before, up to a maximum. */
  readonly times: number
  /** Cause of the last failed launch, as a sentence. */
  readonly reason: string
}

/** Properties of a machine that its node or agent reports. */
export interface MachineFacts {
  /** Display name. */
  readonly name: string
  /** Kind of the machine. */
  readonly kind: MachineKind
  /** Address at which players reach the game servers of the machine; null when it is unknown. */
  readonly host: string | null
  /** URL at which other nodes request the logs of the machine's servers; null without one, and for a cluster. */
  readonly peerUrl: string | null
  /** Version of the software that the node or agent runs; null when it is unknown. */
  readonly release: string | null
  /** Regions in which the machine runs servers, in order of preference; empty until an agent has reported them. */
  readonly regions: readonly Region[]
  /** Beacons at which players' clients measure their latency to the machine; absent without one. */
  readonly beacons?: readonly MachineBeacon[] | undefined
}

/** Record of a machine. The id is the name that the records of its servers have in `nodeId`. */
export interface MachineRecord extends MachineFacts {
  /** Id of the machine; servers have it as `nodeId`. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Status that an operator or the machine set; only a `ready` machine gets new servers. */
  readonly status: RecordedMachineStatus
  /** Instant at which a draining machine stops its remaining servers; null without a deadline. */
  readonly drainBy: Instant | null
  /** Last pause of the machine; null when launches on it succeed. */
  readonly rest: MachineRest | null
  /** Instant at which the machine was found to be lost; null or absent when it has reported itself since. */
  readonly lostAt?: Instant | null
  /** Hash of the token with which the agent of the machine connects; absent without a token, and for other kinds of machines. */
  readonly tokenHash?: string
  /** Session of the stream by which a node hosts the machine of an agent; absent before the first stream, and for other kinds of machines. */
  readonly session?: string
  /** Time of the first report; for the machine of an agent, the time of its first token. */
  readonly createdAt: Instant
  /** Time of the last change of the record. */
  readonly updatedAt: Instant
}

/** Whether a machine takes no new servers for now, because launches on it failed. */
export const isResting = ({ rest }: Pick<MachineRecord, 'rest'>, at: Instant): boolean =>
  rest !== null && rest.until > at

/** Whether the operator lets the machine take new servers. */
export const isReady = ({ status }: Pick<MachineRecord, 'status'>): boolean => status === 'ready'

/** Whether the machine takes new servers. A machine without a record does. */
export const takesServers = (machine: Pick<MachineRecord, 'status' | 'rest'> | undefined, at: Instant): boolean =>
  machine === undefined || (isReady(machine) && !isResting(machine, at))

/** Whether the machine keeps no warm servers, because it shall become empty. */
export const becomesEmpty = (machine: Pick<MachineRecord, 'status'> | undefined): boolean =>
  machine?.status === 'draining' || machine?.status === 'drained'

/** Whether the machine waits for the end of its last server. */
export const isDraining = ({ status }: Pick<MachineRecord, 'status'>): boolean => status === 'draining'

/** Returns the record of a machine that reports itself for the first time. */
export const newMachine = (id: string, facts: MachineFacts, at: Instant): MachineRecord => ({
  id,
  version: 1,
  ...facts,
  status: 'ready',
  drainBy: null,
  rest: null,
  createdAt: at,
  updatedAt: at,
})

/** Returns the record of an agent's machine that has not reported itself yet. */
export const newAgentMachine = (id: string, tokenHash: string, at: Instant): MachineRecord => ({
  ...newMachine(id, { name: id, kind: 'agent', host: null, peerUrl: null, release: null, regions: [] }, at),
  tokenHash,
})

/** Whether the machine is an agent's. */
export const isAgentMachine = ({ kind }: Pick<MachineRecord, 'kind'>): boolean => kind === 'agent'

/** Whether the agent of the machine has never reported itself. An agent reports at least one region. */
export const neverConnected = (machine: Pick<MachineRecord, 'kind' | 'regions'>): boolean =>
  isAgentMachine(machine) && machine.regions.length === 0

/** Whether the agent of the machine can connect with a token. */
export const hasToken = ({ tokenHash }: Pick<MachineRecord, 'tokenHash'>): boolean => tokenHash !== undefined

/** Returns the status of a machine as operators see it. A machine that pauses by itself counts as cordoned. */
export function shownStatus(
  machine: Pick<MachineRecord, 'status' | 'rest'>,
  { isHeard, at }: { readonly isHeard: boolean; readonly at: Instant },
): MachineStatus {
  if (!isHeard) return 'lost'
  return isReady(machine) && isResting(machine, at) ? 'cordoned' : machine.status
}

/** Milliseconds for which the record of a lost machine is kept. */
export const LOST_MACHINES_KEPT_MS = 30 * DAY_MS

/** Whether the machine has been lost for so long that its record is removed. A record with a token stays, because it is the token. */
export const isLongLost = (machine: Pick<MachineRecord, 'lostAt' | 'tokenHash'>, at: Instant): boolean =>
  machine.lostAt != null && at - machine.lostAt >= LOST_MACHINES_KEPT_MS && !hasToken(machine)

export const isLost = ({ status }: { readonly status: MachineStatus }): boolean => status === 'lost'

/** Returns the cause of a pause that the machine takes by itself, given its shown status; null without a pause. */
export const pauseReason = ({ status, rest }: MachineRecord, shown: MachineStatus): string | null =>
  status === 'ready' && shown === 'cordoned' && rest !== null ? rest.reason : null
