import { DRAIN_SECONDS } from '../../catalog/limits'
import type { CallOptions } from '../../commit/call-options'
import { ofMachine } from '../../commit/of-machine'
import { change, unavailableInsteadOf } from '../../commit/transact'
import { accept } from '../../errors/decision'
import { validationFailed } from '../../errors/service-error'
import { decideCordon, decideDrain, decideUncordon } from '../../machine/decide'
import type { MachineEvent } from '../../machine/events'
import type { MachineRecord } from '../../machine/record'
import type { Service } from '../../node/service'
import { type MachineState, machineState, noSuchMachine } from '../../reads/machine-states'
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

async function changeMachine(
  ctx: Service,
  input: OnMachine,
  call: CallOptions | undefined,
  decide: (machine: MachineRecord, at: number) => MachineEvent[],
): Promise<MachineState> {
  await unavailableInsteadOf(() => requireOperator(ctx, input))
  const { machineId } = input
  const after = await change(ctx, ofMachine, machineId, (machine, { at }) => accept(...decide(machine, at)), { call })
  if (after === undefined) return noSuchMachine(machineId)
  // For a repeated call, `after` is the record of the first call. So the present record is read.
  return unavailableInsteadOf(() => machineState(ctx, machineId))
}
