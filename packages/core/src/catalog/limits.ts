/**
 * Bounds of inputs, each once, with its unit and its reason. The domain judges every caller by it, the HTTP package refuses requests by it
 * before any lookup, and the OpenAPI document states it. Bounds of the service's own data and work stand beside their code; docs/limits.md
 * lists them.
 */
export interface Range {
  readonly min: number
  readonly max: number
}

// Text, in characters (code points).

/** Names of accounts, lobbies, servers, queues and keys: for people to read, in one line of a list. */
export const NAME_LENGTH: Range = { min: 1, max: 128 }
/** A project's name becomes its slug. */
export const PROJECT_NAME_LENGTH: Range = { min: 1, max: 64 }
/** Hashing is slow on purpose, and the cost grows with the length of the password. */
export const PASSWORD_LENGTH: Range = { min: 8, max: 256 }
/** The longest address that mail can be sent to (RFC 5321, as read by its erratum 1690). */
export const MAX_EMAIL_LENGTH = 254
/** Characters of a text that is judged as an address; longer text is refused without a detailed sentence. */
export const MAX_EMAIL_TEXT = 320
/** Player ids are a game's own; they stand in every event and in paths. */
export const PLAYER_ID_LENGTH: Range = { min: 1, max: 128 }
/** Part of a path: as many UTF-16 units as the longest player id has. Nothing that exists has a longer name. */
export const MAX_PARAM_UNITS = 2 * PLAYER_ID_LENGTH.max
/** Given by the caller; only its hash is kept. */
export const IDEMPOTENCY_KEY_LENGTH: Range = { min: 1, max: 255 }
/** Characters of a payment processor's token. */
export const PAYMENT_TOKEN_LENGTH: Range = { min: 1, max: 512 }
/** A path inside an archive, as long as file systems take it without question. */
export const EXECUTABLE_PATH_LENGTH: Range = { min: 1, max: 1_024 }
/** A registry's name, a path, a tag and a digest have room. */
export const IMAGE_URL_LENGTH: Range = { min: 1, max: 1_024 }
/** One command line, a page of memory. */
export const STARTUP_ARGS_LENGTH: Range = { min: 0, max: 4_096 }
/** Where a studio's own server is reached: a name of the DNS, or an address. */
export const SERVER_HOST_LENGTH: Range = { min: 1, max: 255 }
/** Becomes the name of an environment variable, `PORT_<NAME>`. */
export const PORT_NAME_LENGTH: Range = { min: 1, max: 64 }
/** Before the random part of an invite code. */
export const INVITE_PREFIX_LENGTH: Range = { min: 0, max: 16 }
/** The random part of an invite code: four characters can be guessed already, more than 32 nobody types. */
export const INVITE_RANDOM_LENGTH: Range = { min: 4, max: 32 }
/** An invite code as it is typed: the longest there can be, and some spaces. */
export const INVITE_CODE_LENGTH: Range = { min: 1, max: 64 }
/** A webhook's address, as long as browsers and proxies take one. */
export const WEBHOOK_URL_LENGTH: Range = { min: 1, max: 2_048 }
/** Characters of a webhook's description. */
export const WEBHOOK_DESCRIPTION_LENGTH: Range = { min: 0, max: 256 }
/** Characters of an issuer: a name or a URL. */
export const ISSUER_LENGTH: Range = { min: 1, max: 512 }
/** The name of a claim; identity providers use URLs for their own. */
export const CLAIM_LENGTH: Range = { min: 1, max: 256 }
/** Where a key set is read. */
export const JWKS_URL_LENGTH: Range = { min: 1, max: 2_048 }
/** A key of the player state that a rule reads. */
export const RULE_FIELD_LENGTH: Range = { min: 1, max: 128 }

/** In URLs and on graphs, so plain: at most 64 characters. */
export const QUEUE_ID_PATTERN = /^[a-z0-9_]{1,64}$/
/** Names of builds, used as `version_tag`; also a folder's name, so at most 64 characters. */
export const BUILD_NAME_PATTERN = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/
export const BUILD_NAME_RULE = 'must be 1 to 64 of a-z A-Z 0-9 . _ - and begin with a letter or digit'
/** A word to look for in a list: printable, so that every storage can be asked for it. */
export const WORD_PATTERN = /^[\x21-\x7e]{1,128}$/
export const WORD_RULE = 'must be 1 to 128 printable characters'

// JSON.

/** Bytes of a request's body; uploads of builds have a bound of their own. */
export const MAX_BODY_BYTES = 64 * 1_024
/** Bytes of one free-form object, serialised as UTF-8: four of them fit into one body. */
export const MAX_FREE_FORM_BYTES = 16 * 1_024
/** Depth of one free-form object; the object itself is depth 1. */
export const MAX_FREE_FORM_DEPTH = 16
/**
 * Levels of a request's body. The deepest legal one is a free-form object inside `server_settings`; the cap stands before any
 * schema sees the value, because validators recurse.
 */
export const MAX_BODY_DEPTH = MAX_FREE_FORM_DEPTH + 8
/**
 * Bounds of searchable settings: the first top-level keys of a lobby that are short enough, in bytes of JSON, and hold one short value. A
 * filter names a few of them.
 */
export const SEARCHED_SETTINGS = { filterKeys: 4, keys: 16, keyBytes: 64, valueBytes: 128 } as const
/** Bytes of one lobby, serialised: it is sent whole with each of its events. */
export const MAX_LOBBY_BYTES = 256 * 1_024

// Numbers.

/** Webhooks of a project: each is sent everything that it asks for. */
export const MAX_WEBHOOKS = 10
/** Projects of an account, without deleted ones. */
export const MAX_PROJECTS = 1_000
/** Queues of a project. */
export const MAX_QUEUES = 1_000
/** Keys of a project, revoked ones included. */
export const MAX_KEYS = 10_000
/** Lobbies that live in a project at once, unless the installation says otherwise. */
export const DEFAULT_MAX_LOBBIES_PER_PROJECT = 200_000

/** Players whom one lobby keeps out. */
export const MAX_LOBBY_BANS = 100
/** Players of one lobby, and of a queue's lobbies. */
export const LOBBY_PLAYERS: Range = { min: 1, max: 100 }
/** Seconds of any setting: ten years, so that instants stay exact. */
export const SECONDS: Range = { min: 1, max: 315_360_000 }
/** Seconds that a server may be asked to live: less than a minute is no game. */
export const TTL_SECONDS: Range = { min: 60, max: SECONDS.max }
/** Seconds that a short match waits for more players. */
export const PARTIAL_AFTER_SECONDS: Range = { min: 0, max: SECONDS.max }
/** Seconds that a request for newcomers searches. */
export const BACKFILL_SECONDS: Range = { min: 5, max: 3_600 }
/** Players who have left that a match which is backfilled keeps the names of: the newest. */
export const MAX_LEFT_PLAYERS = 200
/** Seconds in which players answer to a match that is proposed: less is no time to look up, more keeps all others from playing. */
export const READY_CHECK_SECONDS: Range = { min: 5, max: 120 }
/** Seconds for which a player who declined a match cannot enter the queue: an hour is already a punishment. */
export const PENALTY_SECONDS: Range = { min: 0, max: 3_600 }
/** Seconds that one call waits for a lobby's next version: below what proxies let a silent connection live. */
export const POLL_SECONDS: Range = { min: 0, max: 25 }
/** Servers of a queue that may be asked to wait for their match: each takes the room of one that plays, and nobody pays for it. */
export const WARM_BUFFER: Range = { min: 1, max: 100 }
export const WARM_MIN: Range = { min: 0, max: WARM_BUFFER.max }
/** Versions of a build's name: counted from 1 on. */
export const BUILD_VERSION: Range = { min: 1, max: Number.MAX_SAFE_INTEGER }
/** Ports of one server: each takes one of the machine's. */
export const MAX_PORTS = 16
/** The numbers that TCP and UDP have. */
export const PORT_NUMBER: Range = { min: 1, max: 65_535 }

// Player proof.

/** Issuers of one project: a studio's backend, a provider or two, and those that they are about to replace. */
export const MAX_ISSUERS = 5
/** A one-time code: longer than any that is given out. */
export const ONE_TIME_CODE_LENGTH: Range = { min: 1, max: 128 }
/** How long a key may hold that is minted for a time: seconds. */
export const KEY_LIFETIME_SECONDS: Range = { min: 60, max: 43_200 }

/** Keys of one issuer that are looked at: providers keep two or three. */
export const MAX_JWKS_KEYS = 32
/** Characters of one player token: as many as fit into the headers of a request. */
export const MAX_PLAYER_TOKEN = 8 * 1_024
/** Fields of a queue's player state that clients may not write. */
export const MAX_TRUSTED_FIELDS = 32
/**
 * Milliseconds. `leewayMs`: by how much clocks may differ. `longestMs`: how far ahead a player token may expire, since nothing else takes
 * it back. `streamGraceMs`: how long a stream goes on after its token, so that a client can come with a new one.
 */
export const TOKEN_TIMES = { leewayMs: 60_000, longestMs: 24 * 3_600_000, streamGraceMs: 10_000 } as const

// Lists and logs.

/** Items of one page of a list. */
export const PAGE_LIMIT: Range = { min: 1, max: 100 }
export const DEFAULT_PAGE_LIMIT = 50
/**
 * Bytes of stored JSON in one answer of a list. A page ends before the bound, with at least one item. Names and dates of the wire at most
 * double it, so an answer has at most 4 MiB.
 */
export const MAX_LIST_BYTES = 2 * 1_024 * 1_024
/** Projects of one answer of usage: those that cost most. */
export const USAGE_PROJECTS = 1_000
/** Bytes of a stored processing log of a build. */
export const MAX_BUILD_LOG_BYTES = 1_024 * 1_024
/** Recorded arrivals of one page. */
export const ARRIVAL_LIMIT: Range = { min: 1, max: 1_000 }
/** Lobbies of one answer where a backend walks all of the project's: dashboards read thousands at a time. */
export const PROJECT_LOBBIES_LIMIT: Range = { min: 1, max: 1_000 }
/** Lobbies, matches and exits that are told of one player. */
export const PLAYER_FOUND = { lobbies: 50, matches: 20, exits: 20 } as const
/** Lines of a server's log in one answer. */
export const LOG_LINES: Range = { min: 1, max: 1_000 }
export const DEFAULT_LOG_LINES = 200
