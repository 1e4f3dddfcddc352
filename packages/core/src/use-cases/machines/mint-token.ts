import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { writeMachine } from '../../commit/rows/machine'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import { orThrow, ServiceError, validationFailed } from '../../errors/service-error'
import { decideMintToken } from '../../machine/decide'
import { isMachineName, MACHINE_NAME_RULE, type MachineRecord, newAgentMachine } from '../../machine/record'
import { drawMachineToken } from '../../machine/token-value'
import { MAX_MACHINES } from '../../node/machine-view'
import type { Service } from '../../node/service'
import { type MachineState, machineState, stateOfRecord } from '../../reads/machine-states'
import { type ByOperator, requireOperator } from './require-operator'

/** New token for the agent of a machine. */
export interface MintMachineTokenInput extends ByOperator {
  /** Name of the machine, which is its id: up to 64 letters, digits, dots, dashes and underscores, a letter or digit first. */
  readonly name: string
  /** Whether the token may replace the machine's token, which then stops working. Default: false. */
  readonly replace?: boolean | undefined
}

/** Machine with a new token. The token is returned only once: it is null in the answer to a repeated call. */
export interface MintedMachineToken {
  /** The machine as operators see it. */
  readonly machine: MachineState
  /** Token that the agent sends as its credential; null in the answer to a repeated call. */
  readonly token: string | null
}

export async function mintMachineToken(
  ctx: Service,
  input: MintMachineTokenInput,
  call?: CallOptions,
): Promise<MintedMachineToken> {
  await unavailableInsteadOf(() => requireOperator(ctx, input))
  const { name, replace = false } = input
  if (!isMachineName(name)) throw validationFailed([{ path: 'name', message: MACHINE_NAME_RULE }])
  let changed: MachineRecord | undefined
  const once = async () => {
    const draft = new Draft(ctx.clock.now())
    const token = drawMachineToken((below) => ctx.random.int(below))
    const tokenHash = ctx.tokens.hash(token)
    const before = await ctx.storage.get('machine', name)
    if (before === undefined) await requireFewerMachines(ctx)
    const after =
      before === undefined
        ? draft.create('machine', newAgentMachine(name, tokenHash, draft.at))
        : writeMachine(draft, before, orThrow(decideMintToken(before, { tokenHash, replace })))
    changed = after
    const machine = await stateOfRecord(ctx, after)
    return { draft, answer: { machine, token }, recorded: { machine, token: null }, about: { id: name } }
  }
  const again = async () => ({ machine: await machineState(ctx, name), token: null })
  const minted = await transact<MintedMachineToken>(ctx, call, once, again)
  // A repeated call changed nothing, and its stored answer may be old.
  if (changed === undefined) return unavailableInsteadOf(again)
  ctx.node.machines.noteRecord(changed)
  return minted
}

/** Throws CONFLICT when the installation has as many machines as the nodes and the lists know. */
async function requireFewerMachines(ctx: Service): Promise<void> {
  const known = await ctx.storage.machines.list(MAX_MACHINES)
  if (known.length >= MAX_MACHINES)
    throw new ServiceError('CONFLICT', `there are already ${MAX_MACHINES} machines, the maximum; remove one first`)
}
