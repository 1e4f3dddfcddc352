import { closeSync, constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { nodeTimers } from '@matchyard/node'
import { LogOutlet, type LogSink } from './log-outlet'

/** Milliseconds for which an ending process waits until its last log lines are read. */
const FAREWELL_MS = 1_000

const opened = new Map<number, LogOutlet>()

/**
 * Returns the outlet for standard output (of a service) or standard error (of every command). The readers of these
 * streams may stall or refuse bytes at any time.
 */
export const standardOutput = (): LogOutlet => outletOn(process.stdout.fd)
export const standardError = (): LogOutlet => outletOn(process.stderr.fd)

/** Waits until the last log lines are written, but at most 1,000 milliseconds. */
export async function farewell(): Promise<void> {
  await Promise.all([...opened.values()].map((outlet) => outlet.drained(FAREWELL_MS)))
}

/** Writes the last log lines of a process that cannot continue. Blocks the event loop meanwhile. */
export function lastFarewell(): void {
  for (const outlet of opened.values()) outlet.finish(FAREWELL_MS)
}

function outletOn(fd: number): LogOutlet {
  const known = opened.get(fd)
  if (known !== undefined) return known
  const outlet = new LogOutlet(sinkOf(fd), nodeTimers())
  opened.set(fd, outlet)
  // On every exit, lines that can be written without waiting are written.
  process.once('exit', () => outlet.finish(0))
  return outlet
}

/**
 * Returns the sink of a file descriptor. A pipe or a socket does not block, because Node opened it in non-blocking
 * mode. A terminal is opened again in non-blocking mode, because Ctrl-S would block it. A file is written by the thread
 * pool, so that a slow disk delays no request.
 */
export function sinkOf(fd: number): LogSink {
  // BigInt values avoid a bug of Node. After a plain `fstat` of a pipe, Node keeps the numbers. `realpathSync`, which
  // the module loader uses, then mistakes the next path through a link for a pipe and stops half-way.
  const stat = fstatSync(fd, { bigint: true })
  if (stat.isFIFO() || stat.isSocket()) return atOnce(fd)
  const terminal = isatty(fd) ? reopened(fd) : undefined
  return terminal === undefined ? inThreadPool(fd) : atOnce(terminal)
}

const atOnce = (fd: number): LogSink => ({
  write(bytes, done) {
    let taken: number
    try {
      taken = writeSync(fd, bytes)
    } catch (error) {
      return done(error as NodeJS.ErrnoException, 0)
    }
    done(null, taken)
  },
  writeNow: (bytes) => writeSync(fd, bytes),
})

const inThreadPool = (fd: number): LogSink => ({
  write: (bytes, done) => write(fd, bytes, (error, taken) => done(error, taken)),
  writeNow: (bytes) => writeSync(fd, bytes),
})

function reopened(fd: number): number | undefined {
  try {
    const own = openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    if (isatty(own)) return own
    closeSync(own)
  } catch {
    // The system has no /proc, or the terminal belongs to another user.
  }
  return undefined
}
