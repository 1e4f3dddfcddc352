import { readdirSync, readFileSync } from 'node:fs'

/**
 * Returns the pids of all processes on this machine that have the instance's id in their environment: a game server and
 * its children.
 */
export function processesOf(instanceId: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(`MATCHYARD_INSTANCE_ID=${instanceId}`))
    .map(Number)
}

/**
 * Kills all processes of an instance. A missing process is not an error: a supervisor may end by itself between the
 * search and the signal, because its game server was just killed.
 */
export function killProcessesOf(instanceId: string): void {
  for (const pid of processesOf(instanceId)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    // The process has ended meanwhile, or its environment is not readable.
    return []
  }
}
