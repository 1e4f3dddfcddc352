import { callsOf } from '../calls/calls'
import type { Identity } from '../calls/identity'
import { type Platform, systemPlatform } from '../platform'
import { RETRY_FOR_MS } from '../times'
import { Builds } from './builds'
import { AdminLobbies } from './lobbies'
import { Queues } from './queues'
import { Keys, Matches, Players, Problems, Projects, Servers, Usages, Webhooks } from './resources'

/** A backend is no player. */
const NOBODY: Identity = { playerId: async () => '', headers: async () => ({}), renews: () => false }

/** Address of the service and credentials for it. */
export type AdminOptions = {
  /** Where the service is: `https://play.example.com`. */
  readonly baseUrl: string
  /** For how long a call is tried again while nothing answers, in milliseconds; 60,000 unless said. */
  readonly retryForMs?: number | undefined
  /** Told, in a sentence for a developer, what is tried again; `console.warn` unless said. */
  readonly log?: ((sentence: string) => void) | undefined
  /** Time, chance and network, for tests; those of the runtime unless said. */
  readonly platform?: Partial<Platform> | undefined
} & (
  | {
      /** The project's server key (`sk_live_…`): never in a game that players have. */
      readonly serverKey: string
    }
  | {
      /** A session token, as `POST /v1/auth/login` answers it. */
      readonly session: string
      /** The project that builds, queues, servers and webhooks are of. */
      readonly projectId?: string | undefined
    }
)

/** A studio's backend, and its scripts. */
export interface AdminClient {
  /** Programs that servers run: uploads, images, what became of them. */
  readonly builds: Builds
  /** Matchmaking, and what servers are made from. */
  readonly queues: Queues
  /** Game servers. */
  readonly servers: Servers
  /** Lobbies of all players. */
  readonly lobbies: AdminLobbies
  /** Matches: where they are played, who fills their seats. */
  readonly matches: Matches
  /** Webhooks of the project. */
  readonly webhooks: Webhooks
  /** Players. */
  readonly players: Players
  /** Problems that need action, as sentences. */
  readonly problems: Problems
  /** Usage and its cost (session). */
  readonly usage: Usages
  /** The account's projects, and how their players prove who they are (session). */
  readonly projects: Projects
  /** Keys of the account's projects (session). */
  readonly keys: Keys
}

/** The service for a backend: with a server key everything of one project, with a session everything of an account. */
export function createAdmin(options: AdminOptions): AdminClient {
  const platform: Platform = { ...systemPlatform, ...options.platform }
  const calls = callsOf({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: 'serverKey' in options ? { 'api-key': options.serverKey } : { authorization: `Bearer ${options.session}` },
    identity: NOBODY,
    platform,
    retryForMs: options.retryForMs ?? RETRY_FOR_MS,
    log: options.log ?? ((sentence) => console.warn(`matchyard: ${sentence}`)),
  })
  const of = { calls, platform, projectId: 'session' in options ? options.projectId : undefined }
  return {
    builds: new Builds(of),
    queues: new Queues(of),
    servers: new Servers(of),
    lobbies: new AdminLobbies(of),
    matches: new Matches(of),
    webhooks: new Webhooks(of),
    players: new Players(of),
    problems: new Problems(of),
    usage: new Usages(of),
    projects: new Projects(of),
    keys: new Keys(of),
  }
}
