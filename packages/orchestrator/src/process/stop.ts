import type { AttemptFiles } from './attempt-files'
import { type AttemptState, attemptState, type Machine, processesOf } from './attempt-state'
import { sendSignal } from './proc'
import type { Later } from './timers'

/** After the supervisor should have killed: time for the kernel to end the processes. */
const SUPERVISOR_SLACK_MS = 3_000

/** Asks one attempt to end, and sees in the background that it does. Never launched: sees that it never is. */
export async function stopAttempt(files: AttemptFiles, graceMs: number, machine: Machine, later: Later): Promise<void> {
  const before = await attemptState(files, machine)
  // Closed, it never starts; looked at again, because what was never claimed may run where its files were lost.
  const closed = before.kind === 'unlaunched' && (await files.closeClaim())
  const state = closed ? await attemptState(files, machine) : before
  if (state.kind === 'exited') return
  // A full disk keeps nobody from stopping: a supervisor that finds no file gives its own grace.
  await files.write('stop.json', { graceMs }).catch(() => {})
  await ask(files, await attemptState(files, machine), machine)
  const deadline = state.kind === 'alive' && state.supervisor !== undefined ? graceMs + SUPERVISOR_SLACK_MS : graceMs
  const again = () => {} // seen again by `observe`, and stopped again
  later(files.directory, deadline, () => {
    killAttempt(files, machine).catch(again)
    later(files.directory, SUPERVISOR_SLACK_MS, () => {
      killSupervisor(files, machine).catch(again)
    })
  })
}

/** One that has not told the end by now does not work (a disk that hangs): without it the processes tell. */
async function killSupervisor(files: AttemptFiles, machine: Machine): Promise<void> {
  const state = await attemptState(files, machine)
  if (state.kind === 'alive' && state.supervisor !== undefined) sendSignal(state.supervisor.pid, 'SIGKILL')
}

/** The supervisor asks the server, and kills it when the grace is over, even if the service is gone by then. */
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

/** SIGKILL to everything of an attempt that is still there, by its environment; its supervisor tells the end. */
export async function killAttempt(files: AttemptFiles, machine: Machine): Promise<void> {
  const state = await attemptState(files, machine)
  if (state.kind !== 'alive') return
  const inner = state.status?.inner
  if (inner !== undefined && inner !== null) sendSignal(inner.pid, 'SIGKILL')
  for (const { pid } of await processesOf(files, machine)) {
    // bubblewrap's own process reports the status once its sandbox is gone.
    if (inner === null || pid !== state.status?.main.pid || state.supervisor === undefined) sendSignal(pid, 'SIGKILL')
  }
}
