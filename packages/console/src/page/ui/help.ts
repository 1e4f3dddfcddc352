import type { MatchRule } from '@matchyard/matchmaking'

/** Part of the documents: the name of its subject, and the address of the part below `/docs/`. */
export interface HelpPart {
  readonly name: string
  readonly page: string
}

const part = (name: string, page: string): HelpPart => ({ name, page })

/** Parts of the documents about each rule type. The type makes this table complete. */
export const HELP_ON_RULES: Readonly<Record<MatchRule['type'], HelpPart>> = {
  difference: part('differences', 'matchmaking.html#rule-difference'),
  equals: part('equal values', 'matchmaking.html#rule-equals'),
  region: part('regions', 'matchmaking.html#rule-region'),
  latency: part('latency', 'matchmaking.html#rule-latency'),
  not_equals: part('different values', 'matchmaking.html#rule-not_equals'),
  min: part('least values', 'matchmaking.html#rule-min'),
  max: part('largest values', 'matchmaking.html#rule-max'),
  intersection: part('common values', 'matchmaking.html#rule-intersection'),
  team_difference: part('differences of teams', 'matchmaking.html#rule-team_difference'),
  avoid: part('players to avoid', 'matchmaking.html#players-who-must-not-meet'),
  recent_opponents: part('recent opponents', 'matchmaking.html#players-who-must-not-meet'),
}

/** Parts of the documents about groups of settings. */
export const HELP = {
  matchSize: part('the size of a match', 'matchmaking.html#the-fields'),
  relaxation: part('relaxation', 'matchmaking.html#relaxation'),
  parties: part('parties and versions', 'matchmaking.html#the-fields'),
  comparison: part('comparisons', 'simulation.html'),
  queueRating: part('ratings in queues', 'matchmaking.html#ratings-as-a-field'),
  queue: part('queues', 'http-api.html#queue-settings'),
  lobbies: part('lobbies', 'http-api.html#queue-settings'),
  inviteCodes: part('invite codes', 'http-api.html#invite-codes'),
  silentPlayers: part('silent players', 'http-api.html#presence'),
  trustedFields: part('trusted fields', 'player-proof.html#what-players-cannot-say-of-themselves'),
  searches: part('searches', 'http-api.html#queue-settings'),
  readyCheck: part('ready checks', 'http-api.html#ready-check'),
  matches: part('leavers and failed launches', 'http-api.html#leaver-penalty'),
  openSeats: part('open seats', 'http-api.html#open-seats'),
  gameServer: part('game servers of a queue', 'http-api.html#server-settings'),
  ports: part('ports', 'http-api.html#network-ports'),
  place: part('regions and sizes', 'http-api.html#server-settings'),
  warm: part('warm servers', 'http-api.html#warm-servers'),
  environment: part('environment variables', 'http-api.html#environment-of-a-game-server'),
  customData: part('custom data', 'game-servers.html#the-file'),
  ratings: part('ratings', 'http-api.html#ratings'),
  seasons: part('seasons', 'http-api.html#seasons'),
  webhooks: part('webhooks', 'webhooks.html'),
  webhookFormats: part('events and formats of webhooks', 'http-api.html#10-webhooks'),
  playerProof: part('player identity', 'player-proof.html'),
  issuers: part('issuers', 'player-proof.html#in-four-steps'),
  members: part('members and roles', 'http-api.html#members'),
  budget: part('budgets', 'http-api.html#budget'),
} as const satisfies Readonly<Record<string, HelpPart>>

/** Address of the documents, relative to the console. Both may be under a path of a site. */
export const DOCS = '../docs/'
