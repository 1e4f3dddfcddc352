import { constants } from 'node:os'
import type { ServerExit } from '@matchyard/core/ports'
import type { ContainerInspectInfo } from 'dockerode'

/** The init process exits with this number plus the signal number when a signal ended its child. */
const SIGNAL_BASE = 128
// Some signal numbers have two names; the first name is the usual one.
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/** Returns the exit of a container. The engine stores the data of the exit, so later calls return the same. */
export function exitOf({ State }: ContainerInspectInfo, asOf: number): ServerExit {
  const at = Date.parse(State.FinishedAt)
  const signal = SIGNALS.get(State.ExitCode - SIGNAL_BASE) ?? null
  return {
    code: signal === null ? State.ExitCode : null,
    signal,
    // OOMKilled is also set when only a child process was killed and the server itself lived on.
    ...(State.OOMKilled && State.ExitCode !== 0 ? { reason: 'out_of_memory' } : {}),
    at: at > 0 ? at : asOf,
  }
}

/** Whether a container was ever started: a container that was only created has no start time. */
export const wasStarted = ({ State }: ContainerInspectInfo): boolean => Date.parse(State.StartedAt) > 0
