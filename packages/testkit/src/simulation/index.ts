export { type Command, type CommandKind, describeCommand, drawCommands } from './commands'
export { FAULTS, type FaultKind } from './faults'
export * from './invariants/index'
export type { History, SimulatedProcess, Snapshot } from './invariants/snapshot'
export { type Behaviour, Machine } from './machine'
export type { SimulatedPorts, Spoil } from './node'
export { shrink } from './shrink'
export {
  describeFailure,
  type SimulationFailure,
  type SimulationOptions,
  type SimulationResult,
  simulate,
} from './simulate'
