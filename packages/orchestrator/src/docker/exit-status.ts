import { constants } from 'node:os'
import type { ServerExit } from '@matchyard/core/ports'
import type { ContainerInspectInfo } from 'dockerode'

/** When a signal ended its child process, the init process exits with this number plus the number of the signal. */
const SIGNAL_BASE = 128
// Some signals have two names for one number. The usual name comes first in the list of constants.
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/** Returns the exit of a container. The engine stores the data of the exit, so later calls return the same exit. */
export function exitOf({ State }: ContainerInspectInfo, asOf: number): ServerExit {
  const at = Date.parse(State.FinishedAt)
  const signal = SIGNALS.get(State.ExitCode - SIGNAL_BASE) ?? null
  return {
    code: signal === null ? State.ExitCode : null,
    signal,
    // The engine also sets OOMKilled when the kernel killed only a child process and the server itself continued to
    // run.
    ...(State.OOMKilled && State.ExitCode !== 0 ? { reason: 'out_of_memory' } : {}),
    at: at > 0 ? at : asOf,
  }
}

/** Whether a container was ever started: a container that was only created has no start time. */
export const wasStarted = ({ State }: ContainerInspectInfo): boolean => Date.parse(State.StartedAt) > 0
