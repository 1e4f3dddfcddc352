import type { MachineState } from '@matchyard/core'
import { defineCommand } from 'citty'
import { readMachinesConfig } from '../config/serve-config'
import { secondsOf } from '../operator/duration'
import { type OperatorsDesk, onStorage } from '../operator/on-storage'
import { printMachine, printMachines } from '../operator/print-machines'
import { print } from '../service/print'
import { tellFailure } from '../service/tell-failure'

const machine = {
  machine: { type: 'positional', description: "The machine's id: the NODE_ID of its node", required: true },
} as const
const json = { json: { type: 'boolean', description: 'As JSON', default: false } } as const

const list = defineCommand({
  meta: { name: 'list', description: 'List all machines, by id.' },
  args: json,
  run: ({ args }) => reading(async ({ matchyard }) => printMachines(await matchyard.machines.list({}), args.json)),
})

const show = defineCommand({
  meta: { name: 'show', description: 'Show one machine.' },
  args: { ...machine, ...json },
  run: ({ args }) =>
    reading(async ({ matchyard }) =>
      printMachine(await matchyard.machines.get({ machineId: args.machine }), args.json),
    ),
})

const cordon = defineCommand({
  meta: { name: 'cordon', description: 'Give a machine no new game servers. Its servers continue.' },
  args: machine,
  run: ({ args }) => changing(({ matchyard }) => matchyard.machines.cordon({ machineId: args.machine })),
})

const uncordon = defineCommand({
  meta: { name: 'uncordon', description: 'Give a machine game servers again, and end its drain.' },
  args: machine,
  run: ({ args }) => changing(({ matchyard }) => matchyard.machines.uncordon({ machineId: args.machine })),
})

const drain = defineCommand({
  meta: { name: 'drain', description: 'Empty a machine. It is drained when its last match has ended.' },
  args: {
    ...machine,
    deadline: {
      type: 'string',
      description: 'Time after which the remaining game servers are stopped: 90s, 30m, 2h (default: never)',
    },
  },
  run: ({ args }) =>
    changing(({ matchyard }) => {
      const given = args.deadline === undefined ? {} : { deadlineSeconds: secondsOf('--deadline', args.deadline) }
      return matchyard.machines.drain({ machineId: args.machine, ...given })
    }),
})

const remove = defineCommand({
  meta: { name: 'remove', description: 'Remove the record of a lost machine without servers.' },
  args: machine,
  run: ({ args }) =>
    onMachines(async ({ matchyard }) => {
      await matchyard.machines.remove({ machineId: args.machine })
      await print(`${args.machine} is removed\n`)
    }),
})

const onMachines = (work: (desk: OperatorsDesk) => Promise<void>): Promise<void> =>
  tellFailure(() => onStorage(readMachinesConfig(process.env), work))

const reading = (work: (desk: OperatorsDesk) => Promise<void>): Promise<void> =>
  tellFailure(() => onStorage({ ...readMachinesConfig(process.env), readsOnly: true }, work))

/** Runs a change of one machine, and prints its new status. */
const changing = (work: (desk: OperatorsDesk) => Promise<MachineState>): Promise<void> =>
  onMachines(async (desk) => {
    const { id, status, drainBy } = await work(desk)
    const by = drainBy === null ? '' : `; remaining game servers are stopped at ${new Date(drainBy).toISOString()}`
    await print(`${id} is ${status}${by}\n`)
  })

/** Command by which an operator manages machines directly in the storage. The nodes follow within a second. */
export const machines = defineCommand({
  meta: { name: 'machines', description: 'List, cordon, drain and remove the machines that run game servers.' },
  subCommands: { list, show, cordon, uncordon, drain, remove },
})
