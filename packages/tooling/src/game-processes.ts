import { readdirSync, readFileSync } from 'node:fs'

/** The processes of this machine that carry an instance's id in their environment: a game server and whatever it started. */
export function processesOf(instanceId: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(`MATCHYARD_INSTANCE_ID=${instanceId}`))
    .map(Number)
}

/**
 * Kills what carries an instance's id. A supervisor may end by itself between the look and the signal, because its game
 * server was just killed: that is what was wanted, so it is no error.
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
    // The process ended meanwhile, or is not readable.
    return []
  }
}
