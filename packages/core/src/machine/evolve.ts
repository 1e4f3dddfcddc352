import type { Instant } from '../shared/time'
import { lifeOf } from '../shared/transitions'
import type { MachineEvent } from './events'
import { isAgentMachine, type MachineRecord, type RecordedMachineStatus } from './record'
import { MACHINE_TRANSITIONS, type MachineTrigger } from './transitions'

const { canMove: canMoveMachine, moved } = lifeOf<RecordedMachineStatus, MachineTrigger>('machine', MACHINE_TRANSITIONS)

export { canMoveMachine }

function evolve(machine: MachineRecord, event: MachineEvent): MachineRecord {
  switch (event.type) {
    case 'machine_reported':
      return { ...(isAgentMachine(event.facts) ? machine : withoutToken(machine)), ...event.facts, lostAt: null }
    case 'machine_lost':
      return { ...machine, lostAt: event.lostAt }
    case 'machine_cordoned':
      return moved(machine, 'cordon')
    case 'machine_uncordoned':
      return {
        ...(canMoveMachine(machine, 'uncordon') ? moved(machine, 'uncordon') : machine),
        drainBy: null,
        rest: null,
      }
    case 'machine_drain_begun':
      return { ...(canMoveMachine(machine, 'drain') ? moved(machine, 'drain') : machine), drainBy: event.drainBy }
    case 'machine_drained':
      return { ...moved(machine, 'empty'), drainBy: null }
    case 'machine_rested':
      return { ...machine, rest: event.rest }
    case 'machine_recovered':
      return { ...machine, rest: null }
    case 'machine_token_minted':
      return { ...machine, tokenHash: event.tokenHash }
    case 'machine_hosted':
      return { ...machine, session: event.session }
    case 'machine_token_revoked':
      return withoutToken(machine)
  }
}

function withoutToken({ tokenHash: _, ...machine }: MachineRecord): MachineRecord {
  return machine
}

/** Returns the machine after all events of one commit, with one new version. */
export function evolveMachine(machine: MachineRecord, events: readonly MachineEvent[], at: Instant): MachineRecord {
  if (events.length === 0) return machine
  return { ...events.reduce(evolve, machine), version: machine.version + 1, updatedAt: at }
}
