import { cordonMachine, drainMachine, revokeMachineToken, uncordonMachine } from '../use-cases/machines/change-machine'
import { mintMachineToken } from '../use-cases/machines/mint-token'
import { getMachine, listMachines } from '../use-cases/machines/read-machines'
import { removeMachine } from '../use-cases/machines/remove-machine'
import { SESSION } from './callers'
import { type CallsOf, embedded, operation } from './operation'

/**
 * Machines on which game servers run. The calls are for the operator of the installation. A call with an `accountId` rejects with `NOT_FOUND`
 * unless the account is an operator.
 */
export const machines = {
  /** Returns all machines, by ascending id, at most 1,000. Rejects with `NOT_FOUND`. */
  list: operation({
    callers: SESSION,
    fields: ['accountId?'],
    refusals: ['NOT_FOUND'],
    run: listMachines,
  }),

  /** Returns one machine. Rejects with `MACHINE_NOT_FOUND`. */
  get: embedded({
    fields: ['accountId?', 'machineId'],
    run: getMachine,
  }),

  /**
   * Gives a machine no new servers. Its servers go on. Every node knows it within a second, and no launch on the machine is recorded after the
   * call. Rejects with `NOT_FOUND`, `MACHINE_NOT_FOUND`.
   */
  cordon: operation({
    callers: SESSION,
    fields: ['accountId?', 'machineId'],
    refusals: ['NOT_FOUND', 'MACHINE_NOT_FOUND'],
    audit: 'always',
    run: cordonMachine,
  }),

  /**
   * Gives a machine servers again: after a cordon, during and after a drain, and during a pause that the machine took by itself. Servers that
   * a drain has stopped stay stopped. Rejects with `NOT_FOUND`, `MACHINE_NOT_FOUND`.
   */
  uncordon: operation({
    callers: SESSION,
    fields: ['accountId?', 'machineId'],
    refusals: ['NOT_FOUND', 'MACHINE_NOT_FOUND'],
    audit: 'always',
    run: uncordonMachine,
  }),

  /**
   * Empties a machine: it gets no new servers, its warm servers end, and it is `drained` when its last match has ended. At the deadline, the
   * remaining servers are stopped like any other server. A second call replaces the deadline. Rejects with `NOT_FOUND`,
   * `MACHINE_NOT_FOUND`, `VALIDATION_FAILED`.
   */
  drain: operation({
    callers: SESSION,
    fields: ['accountId?', 'machineId', 'deadlineSeconds?'],
    refusals: ['NOT_FOUND', 'MACHINE_NOT_FOUND'],
    audit: 'always',
    run: drainMachine,
  }),

  /**
   * Creates a token with which the agent of a machine connects, and the record of the machine if there is none. Only this call returns the
   * token. Rejects with `NOT_FOUND`, `VALIDATION_FAILED`. Rejects with `CONFLICT` for the name of a node or a cluster, for a machine that has
   * a token unless `replace` is set, and when the installation has 1,000 machines.
   */
  mintToken: operation({
    callers: SESSION,
    fields: ['accountId?', 'name', 'replace?'],
    refusals: ['NOT_FOUND'],
    audit: 'always',
    run: mintMachineToken,
  }),

  /**
   * Revokes the token of a machine's agent. Calls of the agent that start after this call has resolved are refused on every node. A machine
   * without a token stays as it is. Rejects with `NOT_FOUND`, `MACHINE_NOT_FOUND`.
   */
  revokeToken: operation({
    callers: SESSION,
    fields: ['accountId?', 'machineId'],
    refusals: ['NOT_FOUND', 'MACHINE_NOT_FOUND'],
    audit: 'always',
    run: revokeMachineToken,
  }),

  /**
   * Removes the record of a machine that is lost and has no servers, and with it the token of its agent. A machine that reports itself again gets a new record. Rejects with
   * `MACHINE_NOT_FOUND`, `CONFLICT`.
   */
  remove: embedded({
    fields: ['accountId?', 'machineId'],
    audit: 'always',
    run: removeMachine,
  }),
}

/**
 * Machines on which game servers run.
 *
 * @interface
 */
export type Machines = CallsOf<typeof machines>
