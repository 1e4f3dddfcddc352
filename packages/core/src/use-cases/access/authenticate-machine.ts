import { unavailableInsteadOf } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import { invalidMachineToken } from '../../machine/decide'
import { isMachineToken } from '../../machine/token-value'
import type { Ports } from '../../ports/ports'
import { uniqueKey } from '../../ports/storage/index'

/** Caller that is the agent of a machine. */
export interface MachineCaller {
  /** Id of the machine; servers have it as `nodeId`. */
  readonly machineId: string
  /** SHA-256 of the token. A stream of the agent is refused when the machine has another token by then. */
  readonly tokenHash: string
}

/**
 * Returns the machine to which a token belongs. Every call reads the row of the machine by the hash of the token, so a revoked token is
 * refused on every node at once. A text without the form of a token is refused without reading the storage. Throws INVALID_MACHINE_TOKEN.
 */
export function authenticateMachine(ctx: Ports, token: string): Promise<MachineCaller> {
  return unavailableInsteadOf(async () => {
    if (!isMachineToken(token)) throw invalid('it does not have the form of a token; it may be incomplete or mistyped')
    const tokenHash = ctx.tokens.hash(token)
    const machine = await ctx.storage.find('machine', uniqueKey.machineToken(tokenHash))
    if (machine === undefined) throw invalid('no machine of this installation has it; it may be revoked or replaced')
    return { machineId: machine.id, tokenHash }
  })
}

const invalid = (why: string) => ServiceError.of(invalidMachineToken(why).rejected)
