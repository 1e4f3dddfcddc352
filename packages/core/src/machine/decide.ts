import { accept, type Decision, reject } from '../errors/decision'
import { type JsonValue, jsonEqual } from '../shared/json'
import { type Instant, MINUTE_MS } from '../shared/time'
import type { MachineEvent } from './events'
import { canMoveMachine } from './evolve'
import {
  hasToken,
  isAgentMachine,
  isDraining,
  isResting,
  type MachineFacts,
  type MachineRecord,
  type MachineRest,
} from './record'

/** Maximum duration of a pause that a machine takes by itself. */
export const MAX_REST_MS = 30 * MINUTE_MS
/** Number of launches in a row that fail for reasons of the machine, after which the machine takes a pause. */
export const FAILURES_BEFORE_REST = 3

/** Returns the duration of the n-th pause in a row: 1, 2, 4, 8, 16 and then 30 minutes. */
export const restMs = (times: number): number => Math.min(MAX_REST_MS, MINUTE_MS * 2 ** Math.max(0, times - 1))

/** Returns the instant at which a pause began. */
export const restBeganAt = ({ until, times }: MachineRest): Instant => until - restMs(times)

/** Records the properties that the node of a machine reports, and that the machine is not lost. Returns no event when the record has both. */
export function decideReportMachine(machine: MachineRecord, facts: MachineFacts): MachineEvent[] {
  const { name, kind, host, peerUrl, release, regions, beacons = [] } = machine
  const known = { name, kind, host, peerUrl, release, regions, beacons } satisfies MachineFacts
  const isKnown = machine.lostAt == null && jsonEqual(known as unknown as JsonValue, facts as unknown as JsonValue)
  return isKnown ? [] : [{ type: 'machine_reported', facts }]
}

/** New token of a machine. */
export interface NewMachineToken {
  readonly tokenHash: string
  /** Whether the token may replace a token that works. */
  readonly replace: boolean
}

/** Decides that the agent of a machine connects with this token. Rejects with CONFLICT for a machine that is no agent's. */
export function decideMintToken(
  machine: MachineRecord,
  { tokenHash, replace }: NewMachineToken,
): Decision<MachineEvent> {
  const { id, kind } = machine
  if (!isAgentMachine(machine)) {
    const why = `machine ${id} is a ${kind}, and only machines of agents have tokens`
    return reject('CONFLICT', `${why}; choose another name, or remove the machine first`)
  }
  if (hasToken(machine) && !replace) {
    const how = 'with `replace`, a new token replaces it, and the old token stops working'
    return reject('CONFLICT', `machine ${id} already has a token; ${how}`)
  }
  return accept({ type: 'machine_token_minted', tokenHash })
}

/** Decides that a machine has no token. Returns no event when it has none. */
export const decideRevokeToken = (machine: MachineRecord): MachineEvent[] =>
  hasToken(machine) ? [{ type: 'machine_token_revoked' }] : []

/**
 * Decides that a node hosts the machine of an agent for a new stream. Rejects with INVALID_MACHINE_TOKEN when the machine has no token, or
 * another one than the agent sent.
 */
export function decideHost(machine: MachineRecord, session: string, tokenHash?: string): Decision<MachineEvent> {
  if (!hasToken(machine)) return invalidMachineToken('it was revoked while the agent connected')
  if (tokenHash !== undefined && machine.tokenHash !== tokenHash)
    return invalidMachineToken('it was replaced while the agent connected')
  return accept({ type: 'machine_hosted', session })
}

/** Rejects with INVALID_MACHINE_TOKEN, and the cause as the end of a sentence. */
export const invalidMachineToken = (why: string) =>
  reject('INVALID_MACHINE_TOKEN', `the machine token is not valid: ${why}`)

/** Decides that a machine is lost, unless its record has that. */
export const decideLost = (machine: MachineRecord, at: Instant): MachineEvent[] =>
  machine.lostAt == null ? [{ type: 'machine_lost', lostAt: at }] : []

/** Decides to give a machine no new servers. A machine that is cordoned, draining or drained stays as it is. */
export const decideCordon = (machine: MachineRecord): MachineEvent[] =>
  canMoveMachine(machine, 'cordon') ? [{ type: 'machine_cordoned' }] : []

/** Decides to give a machine servers again. Ends a drain, and a pause that the machine took by itself. */
export const decideUncordon = (machine: MachineRecord): MachineEvent[] =>
  canMoveMachine(machine, 'uncordon') || machine.rest !== null ? [{ type: 'machine_uncordoned' }] : []

/** Decides to empty a machine. A second call replaces the deadline of the first; a drained machine stays as it is. */
export function decideDrain(machine: MachineRecord, drainBy: Instant | null): MachineEvent[] {
  const isNews = canMoveMachine(machine, 'drain') || (isDraining(machine) && machine.drainBy !== drainBy)
  return isNews ? [{ type: 'machine_drain_begun', drainBy }] : []
}

/** Decides that a draining machine is empty, when no server is on it. A draining machine gets no new servers, so it stays empty. */
export const decideDrained = (machine: MachineRecord, servers: number): MachineEvent[] =>
  servers === 0 && canMoveMachine(machine, 'empty') ? [{ type: 'machine_drained' }] : []

/** Whether a draining machine has to stop its remaining servers. */
export const isDrainOver = (machine: MachineRecord, at: Instant): boolean =>
  isDraining(machine) && machine.drainBy !== null && machine.drainBy <= at

/** Decides on a pause of the machine. Pauses in a row grow. Returns no event while a pause lasts. */
export function decideRest(machine: MachineRecord, reason: string, at: Instant): MachineEvent[] {
  if (isResting(machine, at)) return []
  const times = (machine.rest?.times ?? 0) + 1
  return [{ type: 'machine_rested', rest: { until: at + restMs(times), times, reason } }]
}

/** Decides that a launch succeeded after a pause. */
export const decideRecover = (machine: MachineRecord, at: Instant): MachineEvent[] =>
  machine.rest === null || isResting(machine, at) ? [] : [{ type: 'machine_recovered' }]
