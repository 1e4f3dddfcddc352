import { createHash, randomBytes, scrypt as scryptWithCallback, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { StudioDatabase } from './database'

const scrypt = promisify<string, Buffer, number, Buffer>(scryptWithCallback)
const SESSION_MS = 30 * 24 * 3_600_000
/** Hash that is compared when the player does not exist, so that the response time does not reveal players' names. */
const NOBODY = `${Buffer.alloc(16).toString('base64')}.${Buffer.alloc(32).toString('base64')}`

const hashOf = (session: string): string => createHash('sha256').update(session).digest('base64')

/** Returns the studio's own login. Replace it with yours, or with an identity provider. */
export function passwordLogin(database: StudioDatabase) {
  const begin = (name: string): string => {
    const session = randomBytes(32).toString('base64url')
    database.addSession(hashOf(session), name, Date.now() + SESSION_MS)
    return session
  }
  return {
    /** Returns a new session; undefined when the name is taken. */
    async register(name: string, password: string): Promise<string | undefined> {
      const salt = randomBytes(16)
      const kept = `${salt.toString('base64')}.${(await scrypt(password, salt, 32)).toString('base64')}`
      return database.addPlayer(name, kept) ? begin(name) : undefined
    },
    /** Returns a new session; undefined for a wrong name or password. */
    async login(name: string, password: string): Promise<string | undefined> {
      const player = database.player(name)
      const [salt = '', hash = ''] = (player?.password ?? NOBODY).split('.')
      const given = await scrypt(password, Buffer.from(salt, 'base64'), 32)
      return timingSafeEqual(given, Buffer.from(hash, 'base64')) && player !== undefined ? begin(name) : undefined
    },
    /** Returns the player of a session. */
    whoIs: (authorization = ''): string | undefined =>
      database.sessionOf(hashOf(authorization.replace(/^Bearer /, ''))),
  }
}
