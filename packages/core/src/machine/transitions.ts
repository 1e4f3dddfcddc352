import type { Transition } from '../shared/transitions'
import type { RecordedMachineStatus } from './record'

/** Allowed changes of a machine's recorded status (docs/machines.md). */
export const MACHINE_TRANSITIONS = [
  { from: null, trigger: 'report', to: 'ready', source: 'docs/machines.md: a node reports its machine' },
  { from: null, trigger: 'mint', to: 'ready', source: 'docs/machines.md: an operator makes the token of an agent' },
  { from: 'ready', trigger: 'cordon', to: 'cordoned', source: 'docs/machines.md' },
  { from: 'ready', trigger: 'drain', to: 'draining', source: 'docs/machines.md' },
  { from: 'cordoned', trigger: 'drain', to: 'draining', source: 'docs/machines.md' },
  { from: 'draining', trigger: 'empty', to: 'drained', source: 'docs/machines.md: its last server has ended' },
  { from: 'cordoned', trigger: 'uncordon', to: 'ready', source: 'docs/machines.md' },
  { from: 'draining', trigger: 'uncordon', to: 'ready', source: 'docs/machines.md' },
  { from: 'drained', trigger: 'uncordon', to: 'ready', source: 'docs/machines.md' },
] as const satisfies readonly Transition<RecordedMachineStatus>[]

export type MachineTrigger = (typeof MACHINE_TRANSITIONS)[number]['trigger']
