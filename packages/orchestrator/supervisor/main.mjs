// Stands beside one game server, outlives the service, and writes down how the server ended.
//
// Why a process of its own: an exit status is told to the parent alone, and the service may be gone when it is told.
// Why files and no pipe to the service: a pipe breaks with its reader, and the game server with it.
// Plain JavaScript without dependencies, so that the same file runs from the sources and from the package.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { start } from './child.mjs'
import { claim, ownIdentity, readJson, reserveExit, touch, writeExit, writeJson } from './files.mjs'
import { Journal } from './journal.mjs'
import { askTheRest, isAnythingLeft, killEverything, removeCgroups, signalServer, wasOutOfMemory } from './kill.mjs'

const CLAIM_LOST = 3
const ALIVE_EVERY_MS = 5_000
/** How often it is looked whether something is left in a stop. */
const LEFT_EVERY_MS = 100
/** Of a stop whose file cannot be read. */
const DEFAULT_GRACE_MS = 10_000
/** What keeps going wrong is said so often, and then no more: the log of a supervisor is read by nobody for days. */
const MAX_COMPLAINTS = 100

const directory = process.argv[2]
const file = (name) => join(directory, name)
const plan = JSON.parse(readFileSync(file('plan.json'), 'utf8'))

let server
let killAt = Number.POSITIVE_INFINITY
let killTimer
let hasEnded = false

// First of all: between the claim and the spawn a SIGTERM must already be remembered, not die of.
process.on('SIGTERM', () => stop())
for (const signal of ['SIGINT', 'SIGHUP', 'SIGPIPE']) process.on(signal, () => {})
// A full disk or a vanished folder must not end the watch over a running game.
process.on('uncaughtException', (error) => console.error(error))
boundComplaints()

reserveExit(file)
// The moment at which (instance, attempt) is launched: only one supervisor ever gets past this line.
if (!claim(file('claim.json'), ownIdentity())) process.exit(CLAIM_LOST)
const journal = new Journal(directory, plan.logBytes)
setInterval(() => touch(file('alive')), ALIVE_EVERY_MS).unref()

start(plan, directory, {
  started(started) {
    server = started
    writeJson(file('status.json'), { at: Date.now(), main: started.main, inner: started.inner ?? null })
    if (killAt !== Number.POSITIVE_INFINITY) stop()
  },
  failed(error) {
    journal.close()
    removeCgroups(plan)
    writeJson(file('failed.json'), { code: error.code ?? null, message: error.message })
    process.exit(0)
  },
  async ended(first) {
    hasEnded = true
    clearTimeout(killTimer)
    const exit = (await outlast()) ? first : { code: null, signal: 'SIGKILL' }
    const at = Date.now()
    const outOfMemory = wasOutOfMemory(plan) && (exit.signal !== null || exit.code !== 0)
    // What the server left behind (daemons, forks) goes with it.
    await killEverything(plan, server)
    journal.close()
    removeCgroups(plan)
    writeExit(file, { ...exit, ...(outOfMemory ? { reason: 'out_of_memory' } : {}), at })
    process.exit(0)
  },
})

/**
 * Waits in a stop until all that the first process started has ended: a start script dies of SIGTERM at once, and the game behind it may
 * save until the grace is over. False when something has to be killed then.
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

/** SIGTERM now, SIGKILL when the grace is over. Asked again, only a shorter grace changes anything. */
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
