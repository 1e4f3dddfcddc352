// Ends a game server and all processes that it started.
import { readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { everyPid, isThere, startTimeOf, statOf } from './proc.mjs'

const ROUNDS = 100
const ROUND_MS = 20

const kill = (pid, signal) => {
  try {
    process.kill(pid, signal)
  } catch {
    // the process has already ended
  }
}

const stillThere = ({ pid, startTime }) => startTime === null || startTimeOf(pid) === startTime

/**
 * Sends a signal to the server's process group. bubblewrap is in another group, and survives to report the exit status.
 */
export function signalServer(server, signal) {
  const leader = server.inner ?? server.main
  if (stillThere(leader)) kill(-leader.pid, signal)
}

/**
 * Whether processes of the server are left. The pid 1 of a sandbox stays until all processes in the sandbox have ended.
 */
export function isAnythingLeft(plan, server) {
  if (server.inner !== undefined) return isThere(server.inner.pid, server.inner.startTime)
  const pids = everyPid()
  if (pids.length === 0) return isGroupThere(server.main.pid)
  return rest(plan, server, pids).some((pid) => isThere(pid, startTimeOf(pid)))
}

/** Sends SIGTERM to processes outside the server's process group, which `signalServer` did not reach. */
export function askTheRest(plan, server) {
  const group = (server.inner ?? server.main).pid
  for (const pid of rest(plan, server, everyPid())) if (statOf(pid)?.group !== group) kill(pid, 'SIGTERM')
}

const rest = (plan, server, pids) => [
  ...new Set([...inCgroups(plan), ...byEnvironment(plan, pids), ...inSessionOf(server, pids)]),
]

function isGroupThere(group) {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Sends SIGKILL to the process group, to pid 1 of the sandbox (which ends its pid namespace), to the cgroup, and to all
 * processes with the launch in their environment. Repeats until no process is left, at most 100 times. An ending
 * process loses its environment first and its ports last, so processes found in earlier rounds or in the session are
 * waited for.
 */
export async function killEverything(plan, server) {
  if (server !== undefined) {
    kill(-(server.inner ?? server.main).pid, 'SIGKILL')
    if (server.inner !== undefined && stillThere(server.inner)) kill(server.inner.pid, 'SIGKILL')
  }
  // bubblewrap ends by itself with the exit status when its sandbox has ended.
  const isSandbox = (pid) => server?.inner !== undefined && pid === server.main.pid
  const waitedFor = new Map()
  for (let round = 0; round < ROUNDS; round++) {
    const pids = everyPid()
    const found = [...inCgroups(plan), ...byEnvironment(plan, pids)].filter((pid) => !isSandbox(pid))
    for (const pid of found) kill(pid, 'SIGKILL')
    for (const pid of [...found, ...inSessionOf(server, pids)]) waitedFor.set(pid, startTimeOf(pid))
    if (![...waitedFor].some(([pid, startTime]) => isThere(pid, startTime))) return
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS))
  }
}

/** Returns the processes in the session of the first process. A sandbox ends as a whole, so it needs no list. */
function inSessionOf(server, pids) {
  if (server === undefined || server.inner !== undefined) return []
  const session = server.main.pid
  return pids.filter((pid) => statOf(pid)?.session === session)
}

function inCgroups(plan) {
  return plan.cgroups.flatMap((cgroup) => {
    try {
      return readFileSync(join(cgroup, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number)
    } catch {
      return []
    }
  })
}

function byEnvironment({ env }, pids) {
  const marks = ['MATCHYARD_INSTALLATION', 'MATCHYARD_INSTANCE_ID', 'MATCHYARD_ATTEMPT'].map(
    (key) => `${key}=${env[key]}`,
  )
  return pids.filter((pid) => {
    if (pid === process.pid) return false
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      return !environment.includes('MATCHYARD_ROLE=supervisor') && marks.every((mark) => environment.includes(mark))
    } catch {
      return false
    }
  })
}

/** Whether the kernel killed a process of the server's cgroup because of too little memory. */
export function wasOutOfMemory(plan) {
  return plan.cgroups.some((cgroup) =>
    ['memory.oom_control', 'memory.events'].some((name) => {
      try {
        return /^oom_kill [1-9]/m.test(readFileSync(join(cgroup, name), 'utf8'))
      } catch {
        return false
      }
    }),
  )
}

export function removeCgroups(plan) {
  for (const cgroup of plan.cgroups) {
    try {
      writeFileSync(join(cgroup, 'cgroup.kill'), '1') // version 2 only
    } catch {}
    try {
      rmdirSync(cgroup)
    } catch {
      // a process in the cgroup is still ending: `forget` tries again
    }
  }
}
