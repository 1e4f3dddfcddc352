// Starts the game server, directly or in bubblewrap, and reports its end.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { shellCommands } from './environment.mjs'
import { identityOf } from './files.mjs'

/** The most characters that are read of the words of bubblewrap. */
const MAX_WORDS = 4_096

/**
 * Calls exactly one of: `failed`; or `started`, then `ended`.
 * In a sandbox the program sets `environment` itself, so that bubblewrap and setpriv do not get these variables.
 * `started` gets `main` (the direct child) and, in bubblewrap, `inner` (pid 1 of the sandbox).
 */
export function start(plan, directory, environment, { started, failed, ended }) {
  const out = openSync(join(directory, 'stdout'), 'a')
  const err = openSync(join(directory, 'stderr'), 'a')
  const child = spawn(plan.command, plan.args, {
    cwd: plan.cwd,
    env: plan.sandboxed ? plan.env : { ...plan.env, ...environment },
    // Files opened for appending: unlike a pipe, they need no reader. 3: reports of bubblewrap. 4: variables.
    stdio: ['ignore', out, err, ...(plan.sandboxed ? ['pipe', ...(plan.hasEnvironment ? ['pipe'] : [])] : ['ignore'])],
    detached: true, // a session and process group of its own
  })
  closeSync(out)
  closeSync(err)

  let running = false
  let sandboxRan = false
  const begin = (inner) => {
    if (running) return
    running = true
    started({ main: identityOf(child.pid), ...(inner === undefined ? {} : { inner: identityOf(inner) }) })
  }
  child.once('error', failed)
  child.once('spawn', () => {
    if (!plan.sandboxed) begin()
  })
  child.stdio[4]?.on('error', () => {}) // the sandbox has ended, which `close` reports
  child.stdio[4]?.end(shellCommands(environment))
  if (plan.sandboxed) {
    readLines(child.stdio[3], (report) => {
      if (report['child-pid'] !== undefined) begin(report['child-pid'])
      if (report['exit-code'] !== undefined) sandboxRan = true
    })
  }
  // "close" and not "exit": at "close" the last report of bubblewrap has been read.
  child.once('close', (code, signal) => {
    if (!running) return failed(new Error(`the sandbox could not be set up (exit ${code ?? signal})`))
    if (!plan.sandboxed) return ended({ code, signal })
    // Without a signal and with exit code 1, bubblewrap failed before it started the program.
    if (!sandboxRan && signal === null && code === 1) return ended({ code, signal, reason: whyNotStarted(directory) })
    ended(unflatten(code, signal))
  })
}

/**
 * Returns why bubblewrap did not start the program. Its words are the only output, because the program never ran. Words
 * about `execvp` are about the program; all others are about the sandbox, which the machine could not set up.
 */
function whyNotStarted(directory) {
  const words = readFileSync(join(directory, 'stderr'), { encoding: 'utf8' }).slice(-MAX_WORDS)
  return /^bwrap: (?!execvp )/m.test(words) ? 'no_sandbox' : 'not_started'
}

/** Returns the exit of the server: bubblewrap reports a signal as 128 plus its number, as shells do. */
function unflatten(code, signal) {
  if (code === null || code <= 128) return { code, signal }
  const name = Object.keys(constants.signals).find((key) => constants.signals[key] === code - 128)
  return name === undefined ? { code, signal } : { code: null, signal: name }
}

function readLines(stream, onReport) {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('error', () => {})
  stream.on('data', (chunk) => {
    text += chunk
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      try {
        onReport(JSON.parse(text.slice(0, end)))
      } catch {
        // not a report
      }
      text = text.slice(end + 1)
    }
  })
}
