import { unavailableInsteadOf } from '../../commit/transact'
import type { Service } from '../../node/service'
import { type MachineState, machineState, machineStates } from '../../reads/machine-states'
import { type ByOperator, requireOperator } from './require-operator'

/** Input of a call about one machine. */
export interface OnMachine extends ByOperator {
  /** Id of the machine; servers have it as `nodeId`. */
  readonly machineId: string
}

export function listMachines(ctx: Service, input: ByOperator = {}): Promise<MachineState[]> {
  return unavailableInsteadOf(async () => {
    await requireOperator(ctx, input)
    return machineStates(ctx)
  })
}

export function getMachine(ctx: Service, input: OnMachine): Promise<MachineState> {
  return unavailableInsteadOf(async () => {
    await requireOperator(ctx, input)
    return machineState(ctx, input.machineId)
  })
}
