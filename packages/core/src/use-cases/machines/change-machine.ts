import { DRAIN_SECONDS } from '../../catalog/limits'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { writeMachine } from '../../commit/rows/machine'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import { decideCordon, decideDrain, decideRevokeToken, decideUncordon } from '../../machine/decide'
import type { MachineEvent } from '../../machine/events'
import type { MachineRecord } from '../../machine/record'
import type { Service } from '../../node/service'
import { type MachineState, machineState, noSuchMachine, stateOfRecord } from '../../reads/machine-states'
import { SECOND_MS } from '../../shared/time'
import type { OnMachine } from './read-machines'
import { requireOperator } from './require-operator'

export interface DrainInput extends OnMachine {
  /** Seconds after which the remaining servers are stopped, 0 to 604,800. Absent: the drain has no deadline. */
  readonly deadlineSeconds?: number | undefined
}

export const cordonMachine = (ctx: Service, input: OnMachine, call?: CallOptions): Promise<MachineState> =>
  changeMachine(ctx, input, call, decideCordon)

export const uncordonMachine = (ctx: Service, input: OnMachine, call?: CallOptions): Promise<MachineState> =>
  changeMachine(ctx, input, call, decideUncordon)

export async function drainMachine(ctx: Service, input: DrainInput, call?: CallOptions): Promise<MachineState> {
  const { deadlineSeconds: seconds } = input
  const { min, max } = DRAIN_SECONDS
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= min && seconds <= max)) {
    const message = `must be a whole number of seconds from ${min} to ${max}`
    throw validationFailed([{ path: 'deadlineSeconds', message }])
  }
  return changeMachine(ctx, input, call, (machine, at) =>
    decideDrain(machine, seconds === undefined ? null : at + seconds * SECOND_MS),
  )
}

/** Removes the token of a machine's agent. A machine without a token stays as it is. */
export const revokeMachineToken = (ctx: Service, input: OnMachine, call?: CallOptions): Promise<MachineState> =>
  changeMachine(ctx, input, call, decideRevokeToken)

async function changeMachine(
  ctx: Service,
  input: OnMachine,
  call: CallOptions | undefined,
  decide: (machine: MachineRecord, at: number) => MachineEvent[],
): Promise<MachineState> {
  await unavailableInsteadOf(() => requireOperator(ctx, input))
  const { machineId } = input
  let changed: MachineRecord | undefined
  const once = async () => {
    const draft = new Draft(ctx.clock.now())
    const before = await ctx.storage.get('machine', machineId)
    if (before === undefined) return noSuchMachine(machineId)
    const after = writeMachine(draft, before, decide(before, draft.at))
    changed = after
    // The answer is read before the commit: afterwards, a storage that does not answer would make a change that was made look like none.
    return { draft, answer: await stateOfRecord(ctx, after), about: { id: machineId } }
  }
  const state = await transact(ctx, call, once, () => machineState(ctx, machineId))
  // A repeated call changed nothing, and its stored answer may be old.
  if (changed === undefined) return unavailableInsteadOf(() => machineState(ctx, machineId))
  // The choice of machines on this node uses the new record at once.
  ctx.node.machines.noteRecord(changed)
  return state
}
