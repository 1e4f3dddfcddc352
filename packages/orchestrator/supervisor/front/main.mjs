// TLS front of one game server: ends TLS on the external ports, and passes the bytes on to the ports on which the game server listens.
//
// Why a separate process: strangers reach it. If its memory or its processor time runs out, the supervisor still sees how the game ends.
// It ends with its parent (the channel closes) unless the game server still runs, or when the file with its plan is removed. At a
// message of its parent, when the game server has ended, it ends as soon as the players have its last bytes.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readJson } from '../files.mjs'
import { isThere } from '../proc.mjs'
import { FollowedCertificate } from './certificate.mjs'
import { Front } from './front.mjs'

const LOOK_EVERY_MS = 2_000
/** The most errors that a front logs. */
const MAX_COMPLAINTS = 100

const planFile = process.argv[2]
const plan = JSON.parse(readFileSync(planFile, 'utf8'))
let complaints = 0

const complain = (message) => {
  if (complaints++ < MAX_COMPLAINTS) console.error(`TLS front: ${message}`)
}

const end = (code) => process.exit(code)

/** Tells the parent; without a parent the message goes to the log. */
function tell(message) {
  if (process.send === undefined) {
    if (message.failed !== undefined) complain(message.failed.message)
  } else if (process.connected) process.send(message)
}

/** Whether the game server needs this front although it has no parent: that of a container never has one, and a supervisor may have been killed. */
function isNeededAlone() {
  if (plan.isAlone === true) return true
  const main = readJson(join(dirname(planFile), 'status.json'))?.main
  return main !== undefined && isThere(main.pid, main.startTime)
}

process.on('disconnect', () => isNeededAlone() || end(0))
for (const signal of ['SIGINT', 'SIGHUP', 'SIGPIPE']) process.on(signal, () => {})
// An error of one connection must not end the others.
process.on('uncaughtException', (error) => complain(error.message))

try {
  const certificate = new FollowedCertificate(plan.certificate)
  const fronts = plan.ports.map((port) => new Front(port, certificate.options, plan))
  await Promise.all(fronts.map((front) => front.listen()))
  tell({ listening: true })
  process.on('message', async () => {
    await Promise.all(fronts.map((front) => front.finish()))
    end(0)
  })
  setInterval(() => {
    if (!existsSync(planFile) || !(process.connected || isNeededAlone())) end(0)
    const renewed = certificate.look(complain)
    if (renewed !== undefined) for (const front of fronts) front.renew(renewed)
    for (const front of fronts) front.endStalled()
  }, LOOK_EVERY_MS)
} catch (error) {
  tell({ failed: { code: error.code ?? null, message: error.message } })
  // The channel delivers the message before the process ends.
  process.exitCode = 1
  setImmediate(() => process.disconnect?.())
}
