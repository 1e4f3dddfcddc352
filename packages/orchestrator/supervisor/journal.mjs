// Turns the raw output files into one journal of stamped lines, and keeps all of it within a bound.
import { appendFileSync, closeSync, constants, openSync, renameSync, unlinkSync, watch } from 'node:fs'
import { join } from 'node:path'
import { Spool } from './spool.mjs'

/** Without waiting: a pipe in the file's place must not hold the supervisor. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK
/** Between two looks: lines closer together than this may share a time, and no server makes its supervisor toil. */
const PAUSE_MS = 100
/** Where the system tells of no changes, and in case it missed one. */
const IDLE_MS = 1_000

/**
 * One line of JSON each: t (epoch ms), s (o or e), m (the message), p (where the raw file is read up to).
 * A line without m only moves p. Two files: the older one is thrown away when the newer one is full.
 */
export class Journal {
  constructor(directory, maxBytes) {
    this.directory = directory
    this.halfBytes = Math.floor(maxBytes / 2)
    this.path = join(directory, 'journal.log')
    this.bytes = 0
    this.lastAt = 0
    for (const name of ['stdout', 'stderr']) closeSync(openSync(join(directory, name), 'a', 0o600))
    this.spools = [new Spool(join(directory, 'stdout'), 'o'), new Spool(join(directory, 'stderr'), 'e')]
    this.watchers = this.spools.map(({ path }) => this.watch(path))
    this.turn()
  }

  /** A line gets its time when it comes, not when somebody happens to look. */
  watch(path) {
    try {
      return watch(path, { persistent: false }, () => this.wake()).on('error', () => {})
    } catch {
      return undefined // out of inotify watches
    }
  }

  wake() {
    const wait = this.lookedAt + PAUSE_MS - Date.now()
    if (wait <= 0) return this.turn()
    if (this.woken) return
    this.woken = true
    this.schedule(wait)
  }

  turn() {
    this.woken = false
    this.lookedAt = Date.now()
    this.schedule(this.collect() ? PAUSE_MS : IDLE_MS)
  }

  schedule(ms) {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.turn(), ms)
    this.timer.unref()
  }

  collect() {
    let busy = false
    for (const spool of this.spools) {
      const lines = spool.read()
      if (lines.length === 0) continue
      busy = true
      this.write(lines)
    }
    return busy
  }

  /** Reads what is left, the unfinished last line included, and lets the raw files go. */
  close() {
    clearTimeout(this.timer)
    for (const watcher of this.watchers) watcher?.close()
    while (this.collect()) {}
    for (const spool of this.spools) {
      this.write(spool.finish())
      try {
        unlinkSync(spool.path)
      } catch {}
    }
  }

  write(lines) {
    let text = ''
    for (const line of lines) {
      // Never backwards: the two streams are read one after the other.
      line.t = this.lastAt = Math.max(this.lastAt, line.t)
      text += `${JSON.stringify(line)}\n`
      if (this.bytes + text.length < this.halfBytes) continue
      this.append(text)
      this.rotate(line)
      text = ''
    }
    this.append(text)
  }

  append(text) {
    try {
      appendFileSync(this.path, text, { mode: 0o600, flag: APPEND })
      this.bytes += Buffer.byteLength(text)
    } catch (error) {
      console.error(error) // a full disk costs these lines, not the game
    }
  }

  /** The new file starts with how far each raw file has been read. */
  rotate(line) {
    try {
      renameSync(this.path, join(this.directory, 'journal.1.log'))
    } catch (error) {
      console.error(error)
    }
    this.bytes = 0
    const other = this.spools.find(({ stream }) => stream !== line.s)
    for (const mark of [other.mark(line.t), { t: line.t, s: line.s, p: line.p }])
      this.append(`${JSON.stringify(mark)}\n`)
  }
}
