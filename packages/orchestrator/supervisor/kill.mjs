// Ends a game server with everything it started.
import { readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { everyPid, isThere, startTimeOf, statOf } from './proc.mjs'

const ROUNDS = 100
const ROUND_MS = 20

const kill = (pid, signal) => {
  try {
    process.kill(pid, signal)
  } catch {
    // gone already
  }
}

const stillThere = ({ pid, startTime }) => startTime === null || startTimeOf(pid) === startTime

/** To the whole process group. bubblewrap's own process is in another one: it lives to tell the exit status. */
export function signalServer(server, signal) {
  const leader = server.inner ?? server.main
  if (stillThere(leader)) kill(-leader.pid, signal)
}

/** Whether anything is left of what the first process started. A sandbox's pid 1 stays until everything in it has ended. */
export function isAnythingLeft(plan, server) {
  if (server.inner !== undefined) return isThere(server.inner.pid, server.inner.startTime)
  const pids = everyPid()
  if (pids.length === 0) return isGroupThere(server.main.pid)
  return rest(plan, server, pids).some((pid) => isThere(pid, startTimeOf(pid)))
}

/** SIGTERM to what the first process moved out of its process group: that has not been asked yet. */
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
 * SIGKILL to the group, to pid 1 of the sandbox (which takes its whole pid namespace along), to the cgroup
 * and to whatever carries the launch in its environment. Repeats until nothing of it is left: what ends loses its
 * environment first and its ports last, and is waited for by what was found before, and by its session.
 */
export async function killEverything(plan, server) {
  if (server !== undefined) {
    kill(-(server.inner ?? server.main).pid, 'SIGKILL')
    if (server.inner !== undefined && stillThere(server.inner)) kill(server.inner.pid, 'SIGKILL')
  }
  // bubblewrap ends by itself, with the status, when its sandbox is gone.
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

/** The first process's number stays that of its session while anything of that is left. A sandbox's goes as a whole. */
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

/** Whether the kernel killed something in the server's cgroup for want of memory. */
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
      // still occupied by a process on its way out: `forget` tries again
    }
  }
}
