import type { Matchyard } from '@matchyard/core'
import { type Act, at } from './scene'

type OnMachine = (
  matchyard: Matchyard,
  on: { readonly machineId: string },
  deadlineSeconds?: number,
) => Promise<unknown>

/** Deadlines of drains in seconds; undefined: the drain has none. */
const DEADLINES = [undefined, 0, 5, 40] as const

/** Returns an action of the operator on a machine, by way of any node. */
const onMachine =
  (name: string, run: OnMachine): Act =>
  ({ world, node, command }) => {
    const machineId = at([...world.machines.keys()], command.a)
    if (machineId === undefined) return
    world.call(node, name, (matchyard) => run(matchyard, { machineId }, at(DEADLINES, command.b)))
  }

/** Actions of the operator on machines, and machines that cannot start servers for a while. */
export const machineActs = {
  'machine-cordon': onMachine('machine-cordon', (m, on) => m.machines.cordon(on)),
  'machine-uncordon': onMachine('machine-uncordon', (m, on) => m.machines.uncordon(on)),
  'machine-drain': onMachine('machine-drain', (m, on, deadlineSeconds) => m.machines.drain({ ...on, deadlineSeconds })),
  'machine-breaks': ({ world, command, now }) => {
    const machine = at([...world.machines.values()], command.b)
    machine?.breakUntil(now.at + (at([0, 3_000, 20_000, 150_000], command.a) ?? 0))
  },
} satisfies Record<string, Act>
