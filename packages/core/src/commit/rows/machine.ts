import type { MachineEvent } from '../../machine/events'
import { evolveMachine } from '../../machine/evolve'
import type { MachineRecord } from '../../machine/record'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/** Applies events to a machine: adds the row and the follow-up jobs to the draft. Returns the next state. */
export function writeMachine(draft: Draft, before: MachineRecord, events: readonly MachineEvent[]): MachineRecord {
  const after = evolveMachine(before, events, draft.at)
  if (after === before) return before
  draft.replace('machine', before, after)
  for (const event of events) draft.job(...followUps.machine(after, event, draft.at))
  return after
}
