/**
 * Bounds of inputs, each defined once. The domain checks the input of every caller with them, the HTTP package refuses requests with them
 * before any lookup, and the OpenAPI document states them. Bounds of the service's own data and work stand beside their code;
 * docs/limits.md lists them.
 */
export interface Range {
  readonly min: number
  readonly max: number
}

// Texts. Lengths are in characters (code points), unless a comment says otherwise.

/** Names of accounts, lobbies, servers, queues and keys, which people read in one line of a list. */
export const NAME_LENGTH: Range = { min: 1, max: 128 }
/** Project names; the slug of a project is made of its name. */
export const PROJECT_NAME_LENGTH: Range = { min: 1, max: 64 }
/** Passwords. The maximum bounds the cost of hashing, which is slow on purpose and grows with the length. */
export const PASSWORD_LENGTH: Range = { min: 8, max: 256 }
/** Longest e-mail address to which mail can be sent (RFC 5321, with its erratum 1690). */
export const MAX_EMAIL_LENGTH = 254
/** Longest text that is checked as an e-mail address. A longer text is refused without a detailed message. */
export const MAX_EMAIL_TEXT = 320
/** Player ids. The game chooses them; they appear in events and in paths. */
export const PLAYER_ID_LENGTH: Range = { min: 1, max: 128 }
/** Longest part of a request's path, in UTF-16 units: the length of the longest player id. No other id is longer. */
export const MAX_PARAM_UNITS = 2 * PLAYER_ID_LENGTH.max
/** Idempotency keys. The caller chooses them; the service stores only a hash. */
export const IDEMPOTENCY_KEY_LENGTH: Range = { min: 1, max: 255 }
/** Token of a card from the payment processor. */
export const PAYMENT_TOKEN_LENGTH: Range = { min: 1, max: 512 }
/** Path of the executable inside an archive; every common file system supports this length. */
export const EXECUTABLE_PATH_LENGTH: Range = { min: 1, max: 1_024 }
/** Container image reference: enough for a registry, a path, a tag and a digest. */
export const IMAGE_URL_LENGTH: Range = { min: 1, max: 1_024 }
/** Startup arguments of a server: one command line. */
export const STARTUP_ARGS_LENGTH: Range = { min: 0, max: 4_096 }
/** Host of a studio's own server: a DNS name or an IP address. */
export const SERVER_HOST_LENGTH: Range = { min: 1, max: 255 }
/** Name of a port; the server finds the port in the environment variable `PORT_<NAME>`. */
export const PORT_NAME_LENGTH: Range = { min: 1, max: 64 }
/** Fixed text before the random part of an invite code. */
export const INVITE_PREFIX_LENGTH: Range = { min: 0, max: 16 }
/** Random part of an invite code. Codes of fewer than four characters are easy to guess, and more than 32 are too many to type. */
export const INVITE_RANDOM_LENGTH: Range = { min: 4, max: 32 }
/** Invite code as a player types it: the longest code, with room for spaces. */
export const INVITE_CODE_LENGTH: Range = { min: 1, max: 64 }
/** URL of a webhook; browsers and proxies support this length. */
export const WEBHOOK_URL_LENGTH: Range = { min: 1, max: 2_048 }
/** Description of a webhook. */
export const WEBHOOK_DESCRIPTION_LENGTH: Range = { min: 0, max: 256 }
/** Issuer of player tokens: a name or a URL. */
export const ISSUER_LENGTH: Range = { min: 1, max: 512 }
/** Name of a claim in a player token; identity providers use URLs for their own claims. */
export const CLAIM_LENGTH: Range = { min: 1, max: 256 }
/** URL of a key set (JWKS). */
export const JWKS_URL_LENGTH: Range = { min: 1, max: 2_048 }
/** Key of the player state that a matchmaking rule reads. */
export const RULE_FIELD_LENGTH: Range = { min: 1, max: 128 }

/** Id of a queue, at most 64 characters. It appears in URLs and as a label of metrics, so few characters are allowed. */
export const QUEUE_ID_PATTERN = /^[a-z0-9_]{1,64}$/
/** Name of a build, at most 64 characters; requests refer to it as `version_tag`. It also names a folder. */
export const BUILD_NAME_PATTERN = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/
export const BUILD_NAME_RULE = 'must have 1 to 64 characters of a-z A-Z 0-9 . _ - and begin with a letter or digit'
/** Search word of a list. Only printable ASCII characters, so that every storage can search for it. */
export const WORD_PATTERN = /^[\x21-\x7e]{1,128}$/
export const WORD_RULE = 'must have 1 to 128 printable characters'

// JSON.

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
 * Bounds of settings of a lobby by which lobbies can be found. `keys`: the first top-level keys with a short key and one short value, both
 * in bytes of JSON. `filterKeys`: the keys that one filter may name.
 */
export const SEARCHED_SETTINGS = { filterKeys: 4, keys: 16, keyBytes: 64, valueBytes: 128 } as const
/** Maximum bytes of one lobby, serialised. Each event of a lobby contains the whole lobby. */
export const MAX_LOBBY_BYTES = 256 * 1_024

// Numbers and counts.

/** Maximum webhooks of a project. Each of them receives every message of the types to which it subscribed. */
export const MAX_WEBHOOKS = 10
/** Maximum projects of an account; deleted ones do not count. */
export const MAX_PROJECTS = 1_000
/** Maximum queues of a project. */
export const MAX_QUEUES = 1_000
/** Maximum keys of a project; revoked ones count. */
export const MAX_KEYS = 10_000
/** Default maximum of live lobbies in a project; the operator can change it. */
export const DEFAULT_MAX_LOBBIES_PER_PROJECT = 200_000

/** Maximum players whom one lobby bans. */
export const MAX_LOBBY_BANS = 100
/** Players of one lobby; also the range of a queue's own settings for its lobbies. */
export const LOBBY_PLAYERS: Range = { min: 1, max: 100 }
/** Range of settings in seconds. The maximum of ten years keeps computed instants exact. */
export const SECONDS: Range = { min: 1, max: 315_360_000 }
/** Lifetime of a server in seconds; no game fits into less than a minute. */
export const TTL_SECONDS: Range = { min: 60, max: SECONDS.max }
/** Seconds of waiting after which a queue makes a short match, one that is not full. */
export const PARTIAL_AFTER_SECONDS: Range = { min: 0, max: SECONDS.max }
/** Seconds for which a running match searches for newcomers. */
export const BACKFILL_SECONDS: Range = { min: 5, max: 3_600 }
/** Maximum stored ids of players who left a match that is backfilled; the newest are kept. */
export const MAX_LEFT_PLAYERS = 200
/**
 * Seconds that players have to accept a proposed match. A shorter time is not enough to react; a longer one makes the other players wait.
 */
export const READY_CHECK_SECONDS: Range = { min: 5, max: 120 }
/** Seconds for which a player who declined a match, or did not answer, cannot enter the queue again. */
export const PENALTY_SECONDS: Range = { min: 0, max: 3_600 }
/** Seconds for which one call waits for the next version of a lobby. The maximum is below the idle timeout of common proxies. */
export const POLL_SECONDS: Range = { min: 0, max: 25 }
/** Servers of a queue that are started before their matches. Each takes the capacity of a server in use, and is not charged. */
export const WARM_BUFFER: Range = { min: 1, max: 100 }
export const WARM_MIN: Range = { min: 0, max: WARM_BUFFER.max }
/** Version of a build within its name, counted from 1. */
export const BUILD_VERSION: Range = { min: 1, max: Number.MAX_SAFE_INTEGER }
/** Maximum ports of one server; each takes one port of the machine. */
export const MAX_PORTS = 16
/** Port numbers of TCP and UDP. */
export const PORT_NUMBER: Range = { min: 1, max: 65_535 }

// Proof of players' identity.

/** Maximum issuers of one project: enough for a backend, some identity providers, and their replacements during a change. */
export const MAX_ISSUERS = 5
/** Length of a one-time code in characters; the maximum is above that of real codes. */
export const ONE_TIME_CODE_LENGTH: Range = { min: 1, max: 128 }
/** Lifetime in seconds of a key that expires. */
export const KEY_LIFETIME_SECONDS: Range = { min: 60, max: 43_200 }

/** Maximum keys of one issuer that are used; identity providers publish two or three. */
export const MAX_JWKS_KEYS = 32
/** Maximum characters of a player token; it must fit into the headers of a request. */
export const MAX_PLAYER_TOKEN = 8 * 1_024
/** Maximum trusted fields of a queue: fields of the player state that clients cannot write. */
export const MAX_TRUSTED_FIELDS = 32
/**
 * Times of player tokens in milliseconds. `leewayMs`: tolerated difference between two clocks. `longestMs`: how far in the future a token
 * may expire; it is bounded because a token cannot be revoked. `streamGraceMs`: how long a stream stays open after its token expired, so
 * that the client can reconnect with a new token.
 */
export const TOKEN_TIMES = { leewayMs: 60_000, longestMs: 24 * 3_600_000, streamGraceMs: 10_000 } as const

// Lists and logs.

/** Number of items on one page of a list. */
export const PAGE_LIMIT: Range = { min: 1, max: 100 }
export const DEFAULT_PAGE_LIMIT = 50
/**
 * Maximum bytes of stored JSON on one page of a list. A page ends before the bound, but has at least one item. The names and dates of the
 * HTTP API at most double the size, so an answer has at most 4 MiB.
 */
export const MAX_LIST_BYTES = 2 * 1_024 * 1_024
/** Maximum projects in one usage report; the most expensive are listed. */
export const USAGE_PROJECTS = 1_000
/** Maximum bytes of the stored processing log of a build. */
export const MAX_BUILD_LOG_BYTES = 1_024 * 1_024
/** Number of recorded arrivals on one page. */
export const ARRIVAL_LIMIT: Range = { min: 1, max: 1_000 }
/** Number of lobbies on one page when a backend reads all lobbies of its project; dashboards read thousands. */
export const PROJECT_LOBBIES_LIMIT: Range = { min: 1, max: 1_000 }
/** Maximum lobbies, matches and exits that a search for one player returns. */
export const PLAYER_FOUND = { lobbies: 50, matches: 20, exits: 20 } as const
/** Number of lines of a server's log in one answer. */
export const LOG_LINES: Range = { min: 1, max: 1_000 }
export const DEFAULT_LOG_LINES = 200
