// The files by which the supervisor and the service speak. Each appears whole or not at all.
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

/** Makes the file unless it is there: hard links are created atomically and exclusively, with their content. */
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

/** On the disk when this returns: after a power cut a file is whole, or as it was before. */
function writeSynced(path, text) {
  const handle = openSync(path, 'w', 0o600)
  writeSync(handle, text)
  fsyncSync(handle)
  closeSync(handle)
}

/** Moves what was written to its place, whatever stands there. */
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
    // a system that lets no folder be opened sees to it by itself
  }
}

export function readJson(path) {
  try {
    const found = lstatSync(path)
    // A pipe would hold this whole process until somebody writes to it.
    if (!found.isFile() || found.size > SMALL_FILE_BYTES) return undefined
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
  putInPlace(draft, file('exit.json'))
  syncFolderOf(draft)
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
