/** The resources of the admin client, by the first word of their operations' ids. */
export const RESOURCES: Readonly<Record<string, { readonly name: string; readonly text: string }>> = {
  // Names that begin with `Plain` are extended by hand, in `src/admin`.
  builds: { name: 'PlainBuilds', text: 'Programs that game servers run.' },
  queues: { name: 'PlainQueues', text: 'Queues (server key).' },
  lobbies: { name: 'PlainLobbies', text: 'Lobbies of all players (server key).' },
  servers: { name: 'PlainServers', text: 'Game servers.' },
  matches: { name: 'Matches', text: 'Matches (server key).' },
  webhooks: { name: 'Webhooks', text: 'Webhooks: addresses of yours that are told what happens.' },
  players: { name: 'Players', text: 'Players (server key).' },
  audit: { name: 'AuditLog', text: 'Changes that people and server keys made, with their authors.' },
  bans: { name: 'Bans', text: 'Bans of players from the project.' },
  ratings: { name: 'Ratings', text: 'Ratings of players, and their leaderboards (server key).' },
  machines: { name: 'Machines', text: 'Machines that run game servers (session of an operator).' },
  secrets: { name: 'Secrets', text: 'Secrets for environment variables of game servers.' },
  history: { name: 'Metrics', text: 'Figures of the project over time.' },
  problems: { name: 'Problems', text: 'What is wrong in the project.' },
  billing: { name: 'Usages', text: 'What was used, and what it costs (session).' },
  projects: { name: 'Projects', text: "The account's projects (session)." },
  members: { name: 'Members', text: "Members of the account's projects, and invitations (session)." },
  keys: { name: 'Keys', text: "Keys of the account's projects (session)." },
}

/** Operations and groups of them that the admin client does not have, each with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  auth: 'people log in by the console',
  machine: 'agents of machines make these calls',
  account: 'people see their account in the console',
  secondFactor: 'people set up their second factor in the console',
  sessions: 'people see and end their sessions in the console',
  'billing.plan': 'people choose their plan in the console',
  'billing.upgrade': 'people choose their plan in the console',
  'billing.downgrade': 'people choose their plan in the console',
  'billing.replacePaymentMethod': 'people pay in the console',
}

/** Exceptions of a method from the form that its operation gives. */
export interface Exception {
  /** Doc text of the method; the operation's summary by default. */
  readonly text?: string
  /** Name of the method; default: the second word of the operation's id. */
  readonly method?: string
  /** Whether only the resource's own methods may call it. */
  readonly isProtected?: true
  /** Query parameters of the method; all by default. */
  readonly query?: readonly string[]
  /** Whether each field of the query or the body is an argument of its own. */
  readonly isSpread?: true
  /** Way in which the method reads a list that has an offset and a cursor; default: by offset. */
  readonly by?: 'cursor'
  /** Field of the answer that the method returns; the whole answer by default. */
  readonly field?: string
}

/** Exceptions by operation. An operation that players call too is in the admin client only when it is listed here. */
export const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  'builds.createUpload': { isProtected: true },
  'builds.registerImage': { method: 'createOfImage', isProtected: true },
  'queues.restore': { isSpread: true },
  // `followLogs` reads the stream of `follow`.
  'servers.logs': { query: ['limit', 'since'] },
  'lobbies.get': { text: 'A lobby with its players and, once the match runs, its server.', query: [] },
  'lobbies.browse': {
    text: "The project's lobbies, newest first; private ones only where they are asked for.",
    method: 'list',
    query: ['queue_id', 'status', 'region', 'include_private'],
  },
  'lobbies.end': { text: 'Ends the match of a lobby.', method: 'endMatch' },
  'lobbies.delete': { text: 'Ends a lobby.' },
  'matches.get': {},
  'matches.list': { text: "The project's matches, or those of one player, newest first." },
  // A ban that is lifted meanwhile moves the others, so an offset would skip one.
  'bans.list': { by: 'cursor' },
  'ratings.leaderboard': { by: 'cursor' },
  'ratings.ofPlayer': {},
  'machines.list': { field: 'machines' },
  'secrets.set': { isSpread: true },
  'secrets.list': { field: 'secrets' },
  'problems.list': { field: 'problems' },
  'history.read': { method: 'get' },
  'billing.usage': { method: 'get', isSpread: true },
  'projects.getPlayerAuth': { method: 'playerAuth' },
  'projects.getBudget': { method: 'budget' },
}

/** Types of the service whose names `@matchyard/client` exports, so that no name is in both entries. */
export const OF_GAMES: ReadonlySet<string> = new Set([
  'Lobby',
  'LobbyExit',
  'Match',
  'Player',
  'PortMapping',
  'Proposal',
  'Region',
  'ServerSummary',
  'Standing',
])

/** Error codes that the doc text of a method omits: every call can get them, or only a player's call. */
export const UNSAID: ReadonlySet<string> = new Set([
  'CONFLICT',
  'CREDENTIAL_NOT_ALLOWED',
  'IDEMPOTENCY_MISMATCH',
  'INTERNAL',
  'INVALID_API_KEY',
  'INVALID_PLAYER_ID',
  'INVALID_PLAYER_TOKEN',
  'INVALID_SESSION_TOKEN',
  'MISSING_CREDENTIALS',
  'NOT_HOST',
  'PAYLOAD_TOO_LARGE',
  'PLAYER_ID_REQUIRED',
  'PLAYER_TOKEN_REQUIRED',
  'RATE_LIMITED',
  'ROLE_NOT_ALLOWED',
  'SESSION_EXPIRED',
  'UNAVAILABLE',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_FAILED',
])
