/**
 * Bounds of inputs, each defined once. The domain checks the input of every caller with them. The HTTP package refuses requests with them
 * before it reads the storage, and the OpenAPI document states them. Bounds of the service's own data and work stand beside their code;
 * docs/limits.md lists them.
 */
export interface Range {
  readonly min: number
  readonly max: number
}

// Texts. Lengths are in characters (code points), unless a comment says otherwise.

/** Names of accounts, lobbies, servers, queues and keys, which people read in one line of a list. */
export const NAME_LENGTH: Range = { min: 1, max: 128 }
/** Project names. The slug of a project is made from its name. */
export const PROJECT_NAME_LENGTH: Range = { min: 1, max: 64 }
/** Passwords. The maximum bounds the cost of hashing, which is slow on purpose and grows with the length. */
export const PASSWORD_LENGTH: Range = { min: 8, max: 256 }
/** Longest e-mail address to which mail can be sent (RFC 5321, with its erratum 1690). */
export const MAX_EMAIL_LENGTH = 254
/** Longest text that is checked as an e-mail address. A longer text is refused without a detailed message. */
export const MAX_EMAIL_TEXT = 320
/** Player ids. The game chooses them; they appear in events and in paths. */
export const PLAYER_ID_LENGTH: Range = { min: 1, max: 128 }
/** Maximum UTF-16 units of one segment of a request's path: the length of the longest player id. No other id is longer. */
export const MAX_PARAM_UNITS = 2 * PLAYER_ID_LENGTH.max
/** Idempotency keys. The caller chooses them; the service stores only a hash. */
export const IDEMPOTENCY_KEY_LENGTH: Range = { min: 1, max: 255 }
/** Token of a payment card, made by the payment processor. */
export const PAYMENT_TOKEN_LENGTH: Range = { min: 1, max: 512 }
/** Path of the executable inside an archive; every common file system supports this length. */
export const EXECUTABLE_PATH_LENGTH: Range = { min: 1, max: 1_024 }
/** Container image reference: enough for a registry, a path, a tag and a digest. */
export const IMAGE_URL_LENGTH: Range = { min: 1, max: 1_024 }
/** Startup arguments of a server: one command line. */
export const STARTUP_ARGS_LENGTH: Range = { min: 0, max: 4_096 }
/** Environment variables of a queue's servers: their number, and the bytes of all names and values as JSON. */
export const MAX_ENVIRONMENT_VARIABLES = 64
export const MAX_ENVIRONMENT_BYTES = 8 * 1_024
/** Bytes of a secret's value, as UTF-8. */
export const SECRET_BYTES: Range = { min: 1, max: 8 * 1_024 }
/** Seconds between SIGTERM and SIGKILL that a queue may choose. */
export const STOP_GRACE_SECONDS: Range = { min: 1, max: 300 }
/** Host of a server that the studio runs: a DNS name or an IP address. */
export const SERVER_HOST_LENGTH: Range = { min: 1, max: 255 }
/** Name of a port; the server finds the port in the environment variable `PORT_<NAME>`. */
export const PORT_NAME_LENGTH: Range = { min: 1, max: 64 }
/** Fixed text before the random part of an invite code. */
export const INVITE_PREFIX_LENGTH: Range = { min: 0, max: 16 }
/** Random part of an invite code. Codes of fewer than four characters are easy to guess, and more than 32 are too many to type. */
export const INVITE_RANDOM_LENGTH: Range = { min: 4, max: 32 }
/** Invite code as a player types it: the longest code, with additional characters for blanks. */
export const INVITE_CODE_LENGTH: Range = { min: 1, max: 64 }
/** URL of a webhook; browsers and proxies support this length. */
export const WEBHOOK_URL_LENGTH: Range = { min: 1, max: 2_048 }
/** Description of a webhook. */
export const WEBHOOK_DESCRIPTION_LENGTH: Range = { min: 0, max: 256 }
/** Reason of a ban, which the banned player may read. */
export const BAN_REASON_LENGTH: Range = { min: 0, max: 256 }
/** Note on a ban, for the project's developers and backend. */
/** Note of an acknowledged problem. */
export const PROBLEM_NOTE_LENGTH: Range = { min: 0, max: 1_024 }
/** Reason of a muted problem. */
export const PROBLEM_REASON_LENGTH: Range = { min: 0, max: 256 }
/** Minutes for which a problem is muted; 0 ends a mute. */
export const PROBLEM_MUTE_MINUTES: Range = { min: 0, max: 43_200 }
export const BAN_NOTE_LENGTH: Range = { min: 0, max: 1_024 }
/** Issuer of player tokens: a name or a URL. */
export const ISSUER_LENGTH: Range = { min: 1, max: 512 }
/** Name of a claim in a player token; identity providers use URLs for their own claims. */
export const CLAIM_LENGTH: Range = { min: 1, max: 256 }
/** URL of a key set (JWKS) of an issuer of player tokens. */
export const JWKS_URL_LENGTH: Range = { min: 1, max: 2_048 }
/** Key of the player state that a matchmaking rule reads. */
export const RULE_FIELD_LENGTH: Range = { min: 1, max: 128 }

/** Id of a queue, at most 64 characters. It appears in URLs and as a label of metrics, so few characters are allowed. */
export const QUEUE_ID_PATTERN = /^[a-z0-9_]{1,64}$/
/** Name of a build, at most 64 characters; requests refer to it as `version_tag`. It also names a folder. */
export const BUILD_NAME_PATTERN = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/
export const BUILD_NAME_RULE = 'must have 1 to 64 characters of a-z A-Z 0-9 . _ - and begin with a letter or digit'
/** Search word of a list. Only printable ASCII characters are allowed, so that every storage can search for it. */
export const WORD_PATTERN = /^[\x21-\x7e]{1,128}$/
export const WORD_RULE = 'must have 1 to 128 printable characters'

// Sizes of JSON.

/** Maximum bytes of a request's body. Uploads of builds have another bound. */
export const MAX_BODY_BYTES = 64 * 1_024
/** Maximum bytes of one free-form object, serialised as UTF-8. Four such objects fill the largest body. */
export const MAX_FREE_FORM_BYTES = 16 * 1_024
/** Maximum depth of one free-form object; the object itself has depth 1. */
export const MAX_FREE_FORM_DEPTH = 16
/**
 * Maximum depth of a request's body. The deepest valid body has a free-form object inside `server_settings`. The depth is checked before
 * any schema reads the body, because schema validators recurse.
 */
export const MAX_BODY_DEPTH = MAX_FREE_FORM_DEPTH + 8
/**
 * Bounds of the lobby settings that can be searched. `keys`: maximum top-level keys that can be searched, the first ones that have a short
 * key and one short value. `keyBytes` and `valueBytes`: maximum bytes of such a key and its value, as JSON. `filterKeys`: maximum keys in
 * one filter.
 */
export const SEARCHED_SETTINGS = { filterKeys: 4, keys: 16, keyBytes: 64, valueBytes: 128 } as const
/** Maximum bytes of one lobby as JSON. Each event of a lobby contains the whole lobby. */
export const MAX_LOBBY_BYTES = 256 * 1_024

// Numbers and counts.

/** Maximum webhooks of a project. Each of them receives every message of the types to which it subscribed. */
export const MAX_WEBHOOKS = 10
/** Maximum projects of an account. Deleted projects do not count. */
export const MAX_PROJECTS = 1_000
/** Maximum queues of a project. */
export const MAX_QUEUES = 1_000
/** Maximum keys of a project. Revoked keys count too. */
export const MAX_KEYS = 10_000
/** Maximum members of a project, besides the account that owns it. */
export const MAX_MEMBERS = 100
/** Maximum projects of other accounts of which one account is a member. Every call with a session reads them. */
export const MAX_GRANTS = 100
/** Maximum invitations of a project that can still be used. */
export const MAX_INVITATIONS = 100
/** Maximum valid server keys of one member in one project. The commit that removes the member revokes all of them. */
export const MAX_KEYS_OF_MEMBER = 200
/** Maximum characters of a token of an invitation in a call. Every token is shorter. */
export const INVITATION_TOKEN_LENGTH: Range = { min: 1, max: 128 }
/** Default maximum of live lobbies in a project; the operator can change it. */
export const DEFAULT_MAX_LOBBIES_PER_PROJECT = 200_000

/** Maximum bans of a project, with those that have ended and are still listed. */
export const MAX_BANS = 10_000
/** Queues to which one ban applies. */
export const BAN_QUEUES: Range = { min: 1, max: 100 }
/** Maximum ratings of a project. */
export const MAX_RATINGS = 100
/** Maximum seasons of a rating. Every entry into a queue with the rating reads them. */
export const MAX_SEASONS = 200
/** Share of the distance to the initial skill that players keep in a new season. */
export const SEASON_KEEP: Range = { min: 0, max: 1 }
/** Matches after which a player is listed in a leaderboard. */
export const PLACEMENT_MATCHES: Range = { min: 0, max: 100 }
/** Initial estimate of the skill of a player. */
export const INITIAL_MU: Range = { min: -10_000, max: 10_000 }
/** Initial uncertainty of a skill, and parameters of the model of a rating. */
export const RATING_NUMBER: Range = { min: 0.001, max: 10_000 }
/** Points of a displayed rating: of a new player, and for one `sigma`. */
export const RATING_POINTS: Range = { min: -1_000_000, max: 1_000_000 }
/** Places of a leaderboard that have a rank. Players behind them have none. */
export const RANKED_PLACES = 10_000
/** Players on either side of a player in a leaderboard that is read around this player. */
export const AROUND_PLAYER = 10
/** Maximum number of players that one lobby bans. */
export const MAX_LOBBY_BANS = 100
/** Number of players in one lobby; also the range of a queue's own setting for its lobbies. */
export const LOBBY_PLAYERS: Range = { min: 1, max: 100 }
/** Range of settings in seconds. With the maximum of ten years, computed instants stay exact. */
export const SECONDS: Range = { min: 1, max: 315_360_000 }
/** Lifetime of a server in seconds. The minimum is one minute, because no game is shorter. */
export const TTL_SECONDS: Range = { min: 60, max: SECONDS.max }
/** Seconds of waiting after which a queue makes a short match, which has fewer players than a full match. */
export const PARTIAL_AFTER_SECONDS: Range = { min: 0, max: SECONDS.max }
/** Seconds for which a running match searches for new players. */
export const BACKFILL_SECONDS: Range = { min: 5, max: 3_600 }
/** Seconds for which a seat of a running match may be kept for one player. */
export const KEEP_SEAT_SECONDS: Range = { min: 5, max: 120 }
export const DEFAULT_KEEP_SEAT_SECONDS = 30
/** Maximum bytes of the figures (`stats`) of one player in the result of a match, as JSON. */
export const MAX_RESULT_STATS_BYTES = 2 * 1_024
/** Highest place of a team in the result of a match. Places may have gaps. */
export const MAX_RESULT_RANK = 1_000_000
/** Days for which ended matches are kept. */
export const MATCH_RETENTION_DAYS: Range = { min: 1, max: 3_650 }
/** Maximum stored ids of players who left a match with backfill; the newest are kept. */
export const MAX_LEFT_PLAYERS = 200
/**
 * Seconds that players have to accept a proposed match. Within a shorter time, players cannot react; with a longer time, the other players
 * wait too long.
 */
export const READY_CHECK_SECONDS: Range = { min: 5, max: 120 }
/** Seconds for which a player who declined a match, or did not answer, cannot enter the queue again. */
export const PENALTY_SECONDS: Range = { min: 0, max: 3_600 }
/** Seconds for which a player who left a running match cannot enter its queue: 0 to one day. */
export const LEAVER_PENALTY_SECONDS: Range = { min: 0, max: 86_400 }
/** Maximum number of times in a row that the service puts a party back into its queue after a failed launch. */
export const MAX_REQUEUES = 3
/** Seconds for which one call waits for the next version of a lobby. The maximum is below the idle timeout of common proxies. */
export const POLL_SECONDS: Range = { min: 0, max: 25 }
/**
 * Number of servers of a queue that are started in advance. Each of them takes as much capacity as a server in a match, and is metered to its project.
 */
export const WARM_BUFFER: Range = { min: 1, max: 100 }
export const WARM_MIN: Range = { min: 0, max: WARM_BUFFER.max }
/** Version of a build among the builds of the same name, counted from 1. */
export const BUILD_VERSION: Range = { min: 1, max: Number.MAX_SAFE_INTEGER }
/** Maximum ports of one server. Each takes one port of the machine. */
export const MAX_PORTS = 16
/** Port numbers of TCP and UDP. */
export const PORT_NUMBER: Range = { min: 1, max: 65_535 }

// Proof of players' identities.

/** Maximum issuers of one project: enough for a backend, some identity providers, and their replacements during a change. */
export const MAX_ISSUERS = 5
/** Characters of a one-time code. Real codes are shorter than the maximum. */
export const ONE_TIME_CODE_LENGTH: Range = { min: 1, max: 128 }
/** Lifetime in seconds of a key that expires. */
export const KEY_LIFETIME_SECONDS: Range = { min: 60, max: 43_200 }

/** Maximum keys of one issuer that the service uses. Identity providers publish two or three keys. */
export const MAX_JWKS_KEYS = 32
/** Maximum characters of a player token; it must fit into the headers of a request. */
export const MAX_PLAYER_TOKEN = 8 * 1_024
/** Maximum trusted fields of a queue: fields of the player state that clients cannot write. */
export const MAX_TRUSTED_FIELDS = 32
/**
 * Times for player tokens in milliseconds. `leewayMs`: tolerated difference between two clocks. `longestMs`: maximum time until a token
 * expires; it is bounded because a token cannot be revoked. `streamGraceMs`: time for which a stream stays open after its token expired, so
 * that the client can reconnect with a new token.
 */
export const TOKEN_TIMES = { leewayMs: 60_000, longestMs: 24 * 3_600_000, streamGraceMs: 10_000 } as const

// Lists and logs.

/** Number of items on one page of a list. */
export const PAGE_LIMIT: Range = { min: 1, max: 100 }
export const DEFAULT_PAGE_LIMIT = 50
/** Maximum number of entries on a page of the audit log. */
export const AUDIT_PAGE: Range = { min: 1, max: 200 }
/** Characters of a code of a second factor, with its spaces and dashes. */
export const FACTOR_CODE_LENGTH: Range = { min: 1, max: 64 }
/** Maximum number of sessions on a page of an account's sessions. */
export const SESSION_PAGE: Range = { min: 1, max: 200 }
/**
 * Maximum bytes of stored JSON on one page of a list. A page ends before this bound, but has at least one item. The names and dates of the
 * HTTP API at most double the size, so an answer has at most 4 MiB.
 */
export const MAX_LIST_BYTES = 2 * 1_024 * 1_024
/** Budget of a project for a month: one cent to a million dollars, in micro-USD. */
export const BUDGET_MICRO_USD: Range = { min: 10_000, max: 1_000_000_000_000 }
/** Maximum projects in one usage report. The most expensive projects are listed. */
export const USAGE_PROJECTS = 1_000
/** Maximum bytes of the stored processing log of a build. */
export const MAX_BUILD_LOG_BYTES = 1_024 * 1_024
/** Number of recorded arrivals on one page. */
export const ARRIVAL_LIMIT: Range = { min: 1, max: 1_000 }
/**
 * Number of lobbies on one page when a backend reads all lobbies of its project. The maximum is high because dashboards read thousands of
 * lobbies.
 */
export const PROJECT_LOBBIES_LIMIT: Range = { min: 1, max: 1_000 }
/** Seconds of silence after which a searching lobby counts as absent; 0: never. */
export const PRESENCE_TIMEOUT_SECONDS: Range = { min: 0, max: 3_600 }
/** Seconds of silence after which a member of a lobby in a match is removed; 0: never. */
export const IN_GAME_HEARTBEAT_SECONDS: Range = { min: 0, max: 86_400 }
/** Maximum lobbies in which a player may search for a match at the same time. */
export const MAX_SEARCHES = 5
/** Maximum lobbies, matches and exits that a search for one player returns. */
export const PLAYER_FOUND = { lobbies: 50, matches: 20, exits: 20 } as const
/** Number of lines of a server's log in one answer. */
export const LOG_LINES: Range = { min: 1, max: 1_000 }
export const DEFAULT_LOG_LINES = 200
/** Hours for which the log of an ended server is kept in the build store; 0: no log is kept. */
export const LOG_RETENTION_HOURS: Range = { min: 0, max: 24 * 365 }

/** Seconds until the deadline of a drain: at most a week. */
export const DRAIN_SECONDS: Range = { min: 0, max: 7 * 24 * 3_600 }

/** Limits of the properties that the agent of a machine tells. */
export const AGENT_FACTS = {
  idLength: { min: 1, max: 64 },
  versionLength: 64,
  hostLength: { min: 1, max: 253 },
  urlLength: 512,
  limitations: 50,
  limitationLength: 1_000,
  beacons: 32,
  /** Largest number of a limit, for instance megabytes of memory. */
  amount: 2 ** 40,
} as const

/** Limits of one batch that an agent sends. */
export const AGENT_BATCH = {
  /** Bytes of the batch as JSON. */
  bytes: 5 * 1_024 * 1_024,
  answers: 10_000,
  hints: 10_000,
  /** Characters of the name of a session, and of the id of a server. */
  idLength: 128,
  /** Characters of the message of an error. */
  errorLength: 2_000,
} as const
