import { constants } from 'node:os'
import type { ServerExit } from '@matchyard/core/ports'
import type { ContainerInspectInfo } from 'dockerode'

/** What the init process adds to the number of the signal that ended its child. */
const SIGNAL_BASE = 128
// Of two names for one number the first is the usual one.
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/** How a container ended; the engine keeps it, so that it is told the same ever after. */
export function exitOf({ State }: ContainerInspectInfo, asOf: number): ServerExit {
  const at = Date.parse(State.FinishedAt)
  const signal = SIGNALS.get(State.ExitCode - SIGNAL_BASE) ?? null
  return {
    code: signal === null ? State.ExitCode : null,
    signal,
    // Set also when something the server started was ended so, and the server itself lived on.
    ...(State.OOMKilled && State.ExitCode !== 0 ? { reason: 'out_of_memory' } : {}),
    at: at > 0 ? at : asOf,
  }
}

/** A container that was made but never started has no beginning. */
export const wasStarted = ({ State }: ContainerInspectInfo): boolean => Date.parse(State.StartedAt) > 0
