// Supervises one game server, outlives the service, and records how the server ended.
//
// Why a separate process: only the parent gets an exit status, and the service may have stopped by then.
// Why files and no pipe to the service: a pipe breaks when its reader ends, and that would end the game server.
// Plain JavaScript without dependencies, so that the same file runs from the sources and from the package.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { start } from './child.mjs'
import { receivedEnvironment } from './environment.mjs'
import { claim, ownIdentity, readJson, reserveExit, touch, writeExit, writeJson } from './files.mjs'
import { KeptFront } from './front.mjs'
import { Journal } from './journal.mjs'
import { askTheRest, isAnythingLeft, killEverything, removeCgroups, signalServer, wasOutOfMemory } from './kill.mjs'

const CLAIM_LOST = 3
const ALIVE_EVERY_MS = 5_000
/** Milliseconds between two checks for remaining processes during a stop. */
const LEFT_EVERY_MS = 100
/** The grace period in milliseconds of a stop whose file cannot be read. */
const DEFAULT_GRACE_MS = 10_000
/** The most errors that a supervisor logs: a repeated error would fill the disk for days. */
const MAX_COMPLAINTS = 100

const directory = process.argv[2]
const file = (name) => join(directory, name)
const plan = JSON.parse(readFileSync(file('plan.json'), 'utf8'))

// Received before the claim: if the service ends meanwhile, this launch is started again.
const environment = plan.hasEnvironment === true ? receivedEnvironment() : {}

let server
let killAt = Number.POSITIVE_INFINITY
let killTimer
let hasEnded = false

// Installed first: a SIGTERM between the claim and the spawn must be remembered, and not end this process.
process.on('SIGTERM', () => stop())
for (const signal of ['SIGINT', 'SIGHUP', 'SIGPIPE']) process.on(signal, () => {})
// A full disk or a vanished folder must not end the watch over a running game.
process.on('uncaughtException', (error) => console.error(error))
boundComplaints()

reserveExit(file)
// The claim is the moment of the launch: only one supervisor of this instance and attempt gets past this line.
if (!claim(file('claim.json'), ownIdentity())) process.exit(CLAIM_LOST)
const journal = new Journal(directory, plan.logBytes)
setInterval(() => touch(file('alive')), ALIVE_EVERY_MS).unref()

// Players reach the game server only through its front, so the front listens before the game server starts.
const front = plan.hasFront === true ? new KeptFront(file('front.json')) : undefined
await front?.start().catch((error) => neverStarted(error, 'front'))

start(plan, directory, environment, {
  started(started) {
    server = started
    writeJson(file('status.json'), { at: Date.now(), main: started.main, inner: started.inner ?? null })
    if (killAt !== Number.POSITIVE_INFINITY) stop()
  },
  failed: (error) => neverStarted(error, 'server'),
  async ended(first) {
    hasEnded = true
    clearTimeout(killTimer)
    const exit = (await outlast()) ? first : { code: null, signal: 'SIGKILL' }
    const at = Date.now()
    const outOfMemory = wasOutOfMemory(plan) && (exit.signal !== null || exit.code !== 0)
    // Kill the processes that the server left behind (daemons, forks).
    await killEverything(plan, server)
    await front?.finish()
    journal.close()
    removeCgroups(plan)
    writeExit(file, { ...exit, ...(outOfMemory ? { reason: 'out_of_memory' } : {}), at })
    process.exit(0)
  },
})

/** Records that the game server, or its front, could not be started. */
function neverStarted(error, part) {
  front?.stop()
  journal.close()
  removeCgroups(plan)
  writeJson(file('failed.json'), { code: error.code ?? null, message: error.message, part })
  process.exit(0)
}

/**
 * During a stop, waits until all processes of the server have ended: a start script dies of SIGTERM at once, but the
 * game that it started may save until the grace period is over. Returns false when processes are left at that time.
 */
async function outlast() {
  if (killAt === Number.POSITIVE_INFINITY) return true
  askTheRest(plan, server)
  while (isAnythingLeft(plan, server)) {
    if (Date.now() >= killAt) return false
    await pause(LEFT_EVERY_MS)
  }
  return true
}

/** Sends SIGTERM now, and SIGKILL after the grace period. A repeated stop can only shorten the grace period. */
function stop() {
  const asked = readJson(file('stop.json'))?.graceMs
  const graceMs = Number.isSafeInteger(asked) && asked >= 0 ? asked : DEFAULT_GRACE_MS
  const deadline = Date.now() + graceMs
  const first = killTimer === undefined
  if (deadline < killAt) killAt = deadline
  if (server === undefined || hasEnded) return
  if (first) signalServer(server, 'SIGTERM')
  clearTimeout(killTimer)
  killTimer = setTimeout(() => killEverything(plan, server), Math.max(0, killAt - Date.now()))
}

function boundComplaints() {
  const { error } = console
  let said = 0
  console.error = (...words) => {
    if (said++ < MAX_COMPLAINTS) error(...words)
  }
}
