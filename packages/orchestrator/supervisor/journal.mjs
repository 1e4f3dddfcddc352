// Turns the raw output files into one journal of lines with times, of bounded size.
import { appendFileSync, closeSync, constants, openSync, renameSync, unlinkSync, watch } from 'node:fs'
import { join } from 'node:path'
import { Spool } from './spool.mjs'

/** Non-blocking: a pipe in the file's place must not block the supervisor. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK
/** Milliseconds between two reads. Lines within this time may get the same time; the pause bounds the CPU use. */
const PAUSE_MS = 100
/** Milliseconds until a read without a change event, in case the system reports no changes or missed one. */
const IDLE_MS = 1_000

/**
 * Writes each output line as one line of JSON: t (milliseconds since 1970), s (o: stdout, e: stderr), m (the message),
 * p (the read position in the raw file). A line without m only moves p. Of two files, the older is removed when the
 * newer is full.
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

  /** Watches a raw file, so that a line gets the time of its arrival and not of a later read. */
  watch(path) {
    try {
      return watch(path, { persistent: false }, () => this.wake()).on('error', () => {})
    } catch {
      return undefined // no inotify watch is free
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

  /** Reads the rest, including an unfinished last line, and removes the raw files. */
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
      // Times never go backwards: the two streams are read one after the other.
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
      console.error(error) // a full disk loses these lines, but must not end the game
    }
  }

  /** Starts a new file, which begins with the read position of each raw file. */
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
