// The files by which the supervisor and the service speak. Each appears whole or not at all.
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'

const EXIT_RESERVED_BYTES = 4096

/** Boot, pid and start time: no other process ever has the same three. */
export const identityOf = (pid) => ({ bootId: bootId(), pid, startTime: startTimeOf(pid) })
export const ownIdentity = () => identityOf(process.pid)

function bootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}

/** Field 22 of /proc/pid/stat, in clock ticks since boot; null where there is no such process or no /proc. */
export function startTimeOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces and parentheses itself.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

/** Makes the file unless it is there: hard links are created atomically and exclusively, with their content. */
export function claim(path, content) {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    unlinkSync(draft)
  }
}

export function writeJson(path, content) {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600 })
  renameSync(draft, path)
}

export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** Takes the room for the exit status beforehand: a full disk must not swallow it. */
export function reserveExit(file) {
  writeFileSync(file(`exit.${process.pid}`), ' '.repeat(EXIT_RESERVED_BYTES), { mode: 0o600 })
}

export function writeExit(file, exit) {
  const draft = file(`exit.${process.pid}`)
  const handle = openSync(draft, 'r+')
  const text = JSON.stringify(exit)
  writeSync(handle, text, 0)
  ftruncateSync(handle, Buffer.byteLength(text))
  fsyncSync(handle)
  closeSync(handle)
  renameSync(draft, file('exit.json'))
}

/** Marks the last moment at which the server was seen alive, for the case of a power cut. */
export function touch(path) {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    try {
      writeFileSync(path, '', { mode: 0o600 })
    } catch {
      // a full disk: the mark stays older than it could be
    }
  }
}
