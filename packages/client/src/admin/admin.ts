import { callsOf } from '../calls/calls'
import type { Identity } from '../calls/identity'
import { type Platform, systemPlatform } from '../platform'
import { RETRY_FOR_MS } from '../times'
import { Builds } from './builds'
import { AdminLobbies } from './lobbies'
import { Queues } from './queues'
import {
  Bans,
  Keys,
  Machines,
  Matches,
  Members,
  Metrics,
  Players,
  Problems,
  Projects,
  Ratings,
  Secrets,
  Usages,
  Webhooks,
} from './resources'
import { Servers } from './servers'

/** Identity of an admin client. A backend acts for no player, so it sends no player headers. */
const NOBODY: Identity = { playerId: async () => '', headers: async () => ({}), renews: () => false }

/** Address of the service and credentials for the service. */
export type AdminOptions = {
  /** Address of the service: `https://play.example.com`. */
  readonly baseUrl: string
  /** Milliseconds for which a call without an answer is retried; 60,000 by default. */
  readonly retryForMs?: number | undefined
  /** Called with a sentence for a developer about each retry; `console.warn` by default. */
  readonly log?: ((sentence: string) => void) | undefined
  /** Clock, random numbers and network functions, which tests can replace; the runtime's own by default. */
  readonly platform?: Partial<Platform> | undefined
} & (
  | {
      /** Server key of the project (`sk_live_…`). It must never be shipped in a game. */
      readonly serverKey: string
    }
  | {
      /** Session token, from `POST /v1/auth/login`. */
      readonly session: string
      /** Project whose builds, servers, webhooks and problems are used. */
      readonly projectId?: string | undefined
    }
)

/** Client of the service for a studio's backend and its scripts. */
export interface AdminClient {
  /** Builds: uploads, images and their processing. */
  readonly builds: Builds
  /** Queues: matchmaking and server settings. */
  readonly queues: Queues
  /** Game servers. */
  readonly servers: Servers
  /** Secrets for environment variables of game servers. No call returns a value. */
  readonly secrets: Secrets
  /** Lobbies of all players. */
  readonly lobbies: AdminLobbies
  /** Matches: their servers and backfill. */
  readonly matches: Matches
  /** Webhooks of the project. */
  readonly webhooks: Webhooks
  /** Players. */
  readonly players: Players
  /** Bans of players from the project or some of its queues. */
  readonly bans: Bans
  /** Ratings of players, and their leaderboards. */
  readonly ratings: Ratings
  /** Machines that run game servers. Only a client with the `session` of an operator's account may use these calls. */
  readonly machines: Machines
  /** Figures of the project over time. */
  readonly metrics: Metrics
  /** Problems of the project that need action, described in sentences. */
  readonly problems: Problems
  /** Usage of the account and its cost. Only a client with a `session` may read it. */
  readonly usage: Usages
  /**
   * Projects of the account, and how their players prove their identity. Only a client with a `session` may use these
   * calls.
   */
  readonly projects: Projects
  /** API keys of the account's projects. Only a client with a `session` may use these calls. */
  readonly keys: Keys
  /** Members of the account's projects, and invitations. Only a client with a `session` may use these calls. */
  readonly members: Members
}

/**
 * Returns a client for a backend. A server key gives access to one project, a session to the projects of an account.
 */
export function createAdmin(options: AdminOptions): AdminClient {
  const platform: Platform = { ...systemPlatform, ...options.platform }
  const retryForMs = options.retryForMs ?? RETRY_FOR_MS
  const calls = callsOf({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: 'serverKey' in options ? { 'api-key': options.serverKey } : { authorization: `Bearer ${options.session}` },
    identity: NOBODY,
    platform,
    retryForMs,
    log: options.log ?? ((sentence) => console.warn(`matchyard: ${sentence}`)),
  })
  const of = { calls, platform, projectId: 'session' in options ? options.projectId : undefined, retryForMs }
  return {
    builds: new Builds(of),
    queues: new Queues(of),
    servers: new Servers(of),
    secrets: new Secrets(of),
    lobbies: new AdminLobbies(of),
    matches: new Matches(of),
    webhooks: new Webhooks(of),
    players: new Players(of),
    bans: new Bans(of),
    ratings: new Ratings(of),
    machines: new Machines(of),
    metrics: new Metrics(of),
    problems: new Problems(of),
    usage: new Usages(of),
    projects: new Projects(of),
    keys: new Keys(of),
    members: new Members(of),
  }
}
