import { argon2Passwords } from '@matchyard/node'
import { isPostgresUrl } from '../config/database-url'
import { MAX_CONNECTIONS } from '../service/connections'
import { FEW_CONNECTIONS, openFileLimit, socketRoom } from '../service/open-files'
import { type Check, fail, ok, warn } from './check'

/**
 * Oldest supported release of each major version of Node. Older releases, and Node 21, cannot `require` an ES module.
 * All releases after the last listed major version can.
 */
const OLDEST_NODES: readonly (readonly [major: number, minor: number])[] = [
  [20, 19],
  [22, 12],
]
/** Milliseconds per password hash above which logins could overload the machine. */
const SLOW_HASH_MS = 1_000
/** A date before this version was made. A clock that shows an earlier time is wrong. */
const EARLIEST_DATE = Date.UTC(2026, 0, 1)

const node: Check = {
  name: 'node',
  mend: 'install Node 22.12 or newer, or 20.19 or newer of Node 20: https://nodejs.org',
  look() {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const [newest] = OLDEST_NODES.at(-1) ?? [0]
    const isNewEnough = major > newest || OLDEST_NODES.some(([line, least]) => major === line && minor >= least)
    const message = `Node ${process.versions.node}`
    return isNewEnough
      ? ok(message)
      : fail(`${message} is none of ${OLDEST_NODES.map((one) => one.join('.')).join(', ')} or newer`)
  },
}

const user: Check = {
  name: 'user',
  mend: 'run the service as a user of its own, for example: sudo -u matchyard matchyard serve',
  look: () =>
    process.getuid?.() === 0 ? warn('the service would run as root') : ok(`runs as user ${process.getuid?.() ?? ''}`),
}

const clock: Check = {
  name: 'clock',
  mend: 'set the clock, and keep it set: sudo timedatectl set-ntp true',
  look() {
    const now = Date.now()
    return now < EARLIEST_DATE
      ? fail(`the clock says ${new Date(now).toISOString()}: sessions and ttls would be wrong`)
      : ok(new Date(now).toISOString())
  },
}

const openFiles: Check = {
  name: 'open-files',
  mend: 'raise it: ulimit -n 65536 (systemd: LimitNOFILE=65536)',
  look({ config: { databaseUrl, pool } }) {
    const limit = openFileLimit()
    if (limit === undefined) return ok('this system does not tell its limit')
    const { connections, streams } = socketRoom(limit, isPostgresUrl(databaseUrl) ? pool.poolSize : 0)
    const files = Number.isFinite(limit) ? limit : 'unlimited'
    const message = `${files} open files: room for ${connections} connections, ${streams} event streams among them`
    return connections < FEW_CONNECTIONS ? warn(`${message}, of ${MAX_CONNECTIONS} that a node takes`) : ok(message)
  },
}

const argon2: Check = {
  name: 'argon2',
  mend: 'install again on this machine, so that its native module fits: npm install --force @node-rs/argon2',
  async look() {
    const passwords = argon2Passwords()
    const startedAt = performance.now()
    const hash = await passwords.hash('a password')
    const took = Math.round(performance.now() - startedAt)
    if (!(await passwords.verify(hash, 'a password'))) return fail('a password does not fit its own hash')
    return took > SLOW_HASH_MS ? warn(`hashing a password takes ${took} ms`) : ok(`a password is hashed in ${took} ms`)
  },
}

export const PLATFORM_CHECKS: readonly Check[] = [node, user, clock, openFiles, argon2]
