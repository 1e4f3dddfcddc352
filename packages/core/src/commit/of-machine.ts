import type { MachineEvent } from '../machine/events'
import type { MachineRecord } from '../machine/record'
import type { Aggregate } from './aggregate'
import { writeMachine } from './rows/machine'

/** Functions that read and change a machine by its id. */
export const ofMachine: Aggregate<MachineRecord, MachineEvent, string, undefined> = {
  turn: (machineId) => `machine ${machineId}`,
  read: (ctx, machineId) => ctx.storage.get('machine', machineId),
  write: writeMachine,
}
