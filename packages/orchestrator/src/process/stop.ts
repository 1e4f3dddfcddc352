import type { AttemptFiles } from './attempt-files'
import { type AttemptState, attemptState, type Machine, processesOf } from './attempt-state'
import { sendSignal } from './proc'
import type { Later } from './timers'

/** Milliseconds for the kernel to end the processes after the supervisor has killed them. */
const SUPERVISOR_SLACK_MS = 3_000

/**
 * Asks the processes of one attempt to end, and kills them if they have not ended after the grace period. A launch that
 * has not started is closed, so that it never starts.
 */
export async function stopAttempt(files: AttemptFiles, graceMs: number, machine: Machine, later: Later): Promise<void> {
  const before = await attemptState(files, machine)
  // A closed launch never starts. The state is read again, because a server may run without a claim when its files were
  // lost.
  const closed = before.kind === 'unlaunched' && (await files.closeClaim())
  const state = closed ? await attemptState(files, machine) : before
  if (state.kind === 'exited') return
  // A full disk must not prevent a stop: if the file is missing, the supervisor uses its default grace period.
  await files.write('stop.json', { graceMs }).catch(() => {})
  await ask(files, await attemptState(files, machine), machine)
  const deadline = state.kind === 'alive' && state.supervisor !== undefined ? graceMs + SUPERVISOR_SLACK_MS : graceMs
  const again = () => {} // the next `observe` returns the process, and the core stops it again
  later(files.directory, deadline, () => {
    killAttempt(files, machine).catch(again)
    later(files.directory, SUPERVISOR_SLACK_MS, () => {
      killSupervisor(files, machine).catch(again)
    })
  })
}

/**
 * Kills a supervisor that has not reported the end in time (for example on a hanging disk). After that, the processes
 * show whether the server has ended.
 */
async function killSupervisor(files: AttemptFiles, machine: Machine): Promise<void> {
  const state = await attemptState(files, machine)
  if (state.kind === 'alive' && state.supervisor !== undefined) sendSignal(state.supervisor.pid, 'SIGKILL')
}

/**
 * Sends a signal to the supervisor. It stops the server and kills it after the grace period, even when the service has
 * ended by then.
 */
async function ask(files: AttemptFiles, state: AttemptState, machine: Machine): Promise<void> {
  if (state.kind !== 'alive') return
  if (state.supervisor !== undefined) {
    sendSignal(state.supervisor.pid, 'SIGTERM')
    return
  }
  const group = state.status?.inner ?? state.status?.main
  if (group !== undefined && sendSignal(-group.pid, 'SIGTERM')) return
  for (const { pid } of await processesOf(files, machine)) sendSignal(pid, 'SIGTERM')
}

/**
 * Sends SIGKILL to all remaining processes of an attempt, which are found by their environment. The supervisor reports
 * the end.
 */
export async function killAttempt(files: AttemptFiles, machine: Machine): Promise<void> {
  const state = await attemptState(files, machine)
  if (state.kind !== 'alive') return
  const inner = state.status?.inner
  if (inner !== undefined && inner !== null) sendSignal(inner.pid, 'SIGKILL')
  for (const { pid } of await processesOf(files, machine)) {
    // bubblewrap's process is not killed, because it reports the exit status after its sandbox has ended.
    if (inner === null || pid !== state.status?.main.pid || state.supervisor === undefined) sendSignal(pid, 'SIGKILL')
  }
}
