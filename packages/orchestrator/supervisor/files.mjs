// Reads and writes the files between the supervisor and the service. A file appears whole or not at all.
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { startTimeOf } from './proc.mjs'

const EXIT_RESERVED_BYTES = 4096
const SMALL_FILE_BYTES = 256 * 1024

/** Returns boot id, process id and start time, which together identify a process for all time. */
export const identityOf = (pid) => ({ bootId: bootId(), pid, startTime: startTimeOf(pid) })
export const ownIdentity = () => identityOf(process.pid)

function bootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}

/** Makes a file with its content unless it exists; a hard link is created atomically and exclusively. */
export function claim(path, content) {
  const draft = `${path}.${process.pid}`
  writeSynced(draft, JSON.stringify(content))
  try {
    linkSync(draft, path)
    syncFolderOf(path)
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
  writeSynced(draft, JSON.stringify(content))
  putInPlace(draft, path)
}

/** Writes a file and syncs it: the content is on the disk when this returns. */
function writeSynced(path, text) {
  const handle = openSync(path, 'w', 0o600)
  writeSync(handle, text)
  fsyncSync(handle)
  closeSync(handle)
}

/** Moves a draft to its place, and replaces any file or folder there. */
function putInPlace(draft, path) {
  try {
    renameSync(draft, path)
  } catch {
    rmSync(path, { recursive: true, force: true })
    renameSync(draft, path)
  }
}

function syncFolderOf(path) {
  try {
    const handle = openSync(dirname(path), 'r')
    fsyncSync(handle)
    closeSync(handle)
  } catch {
    // a system where folders cannot be opened needs no sync of them
  }
}

export function readJson(path) {
  try {
    const found = lstatSync(path)
    // Reading a pipe would block this whole process until another process writes to it.
    if (!found.isFile() || found.size > SMALL_FILE_BYTES) return undefined
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** Reserves disk space for the exit status before the launch, so that a full disk cannot lose it. */
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
  putInPlace(draft, file('exit.json'))
  syncFolderOf(draft)
}

/** Records the last time at which the server was seen alive, in case of a power cut. */
export function touch(path) {
  const now = new Date()
  try {
    utimesSync(path, now, now)
  } catch {
    try {
      writeFileSync(path, '', { mode: 0o600 })
    } catch {
      // the disk is full: the recorded time stays older than the real one
    }
  }
}
