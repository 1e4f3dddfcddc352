import type { MachineState } from '@matchyard/core'
import { defineCommand } from 'citty'
import { ConfigurationError } from '../config/configuration-error'
import { readMachinesConfig } from '../config/serve-config'
import { BY_OPERATOR } from '../operator/by-operator'
import { secondsOf } from '../operator/duration'
import { type OperatorsDesk, onStorage } from '../operator/on-storage'
import { printMachine, printMachines, printToken } from '../operator/print-machines'
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
  run: ({ args }) => changing(({ matchyard }) => matchyard.machines.cordon({ machineId: args.machine }, BY_OPERATOR)),
})

const uncordon = defineCommand({
  meta: { name: 'uncordon', description: 'Give a machine game servers again, and end its drain.' },
  args: machine,
  run: ({ args }) => changing(({ matchyard }) => matchyard.machines.uncordon({ machineId: args.machine }, BY_OPERATOR)),
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
      return matchyard.machines.drain({ machineId: args.machine, ...given }, BY_OPERATOR)
    }),
})

const token = defineCommand({
  meta: { name: 'token', description: 'Make the token with which the agent of a machine connects.' },
  args: {
    machine: { type: 'positional', description: 'Name of the machine, new or of an agent', required: false },
    name: { type: 'string', description: 'The same name, as an option' },
    replace: { type: 'boolean', description: 'Replace the token of the machine, which stops working', default: false },
    ...json,
  },
  run: ({ args }) =>
    onMachines(async ({ matchyard }) => {
      const name = nameOf(args)
      const minted = await matchyard.machines.mintToken({ name, replace: args.replace }, BY_OPERATOR)
      await printToken(minted, { asJson: args.json, isReplaced: args.replace })
    }),
})

const revoke = defineCommand({
  meta: { name: 'revoke', description: 'Revoke the token of the agent of a machine. Its record stays.' },
  args: machine,
  run: ({ args }) =>
    onMachines(async ({ matchyard }) => {
      await matchyard.machines.revokeToken({ machineId: args.machine }, BY_OPERATOR)
      await print(`${args.machine} has no token\n`)
    }),
})

const remove = defineCommand({
  meta: { name: 'remove', description: 'Remove the record of a lost machine without servers.' },
  args: machine,
  run: ({ args }) =>
    onMachines(async ({ matchyard }) => {
      await matchyard.machines.remove({ machineId: args.machine }, BY_OPERATOR)
      await print(`${args.machine} is removed\n`)
    }),
})

const onMachines = (work: (desk: OperatorsDesk) => Promise<void>): Promise<void> =>
  tellFailure(() => onStorage(readMachinesConfig(process.env), work))

const reading = (work: (desk: OperatorsDesk) => Promise<void>): Promise<void> =>
  tellFailure(() => onStorage({ ...readMachinesConfig(process.env), readsOnly: true }, work))

/** Returns the name of a machine, given as an argument or as an option. */
function nameOf({ machine, name }: { readonly machine?: string | undefined; readonly name?: string | undefined }) {
  if (machine === undefined && name === undefined)
    throw new ConfigurationError('name the machine: machines token fra-1')
  if (machine !== undefined && name !== undefined && machine !== name)
    throw new ConfigurationError(`there are two names, ${machine} and ${name}; give one`)
  return machine ?? name ?? ''
}

/** Runs a change of one machine, and prints its new status. */
const changing = (work: (desk: OperatorsDesk) => Promise<MachineState>): Promise<void> =>
  onMachines(async (desk) => {
    const { id, status, drainBy } = await work(desk)
    const by = drainBy === null ? '' : `; remaining game servers are stopped at ${new Date(drainBy).toISOString()}`
    await print(`${id} is ${status}${by}\n`)
  })

/** Command by which an operator manages machines directly in the storage. The nodes follow within a second. */
export const machines = defineCommand({
  meta: {
    name: 'machines',
    description: 'List, cordon, drain and remove the machines that run game servers, and make tokens of agents.',
  },
  subCommands: { list, show, cordon, uncordon, drain, token, revoke, remove },
})
