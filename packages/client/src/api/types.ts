// Written by `npm run generate` from docs/openapi.json; not to be edited by hand.

/** Free-form JSON: yours, and carried through untouched. */
export type JsonObject = { readonly [key: string]: unknown }

/** One page of a list. */
export interface Page<T> {
  /** Total number of items. */
  readonly total: number
  /** Maximum number of items in a page. */
  readonly limit: number
  /** Number of items before this page. */
  readonly offset: number
  /** Whether another page follows. */
  readonly has_more: boolean
  /** Items of this page. */
  readonly data: readonly T[]
}

/** A developer account. */
export interface Account {
  /** Id. */
  readonly id: string
  /** E-mail address with which the developer logs in. */
  readonly email: string
  /** Display name. */
  readonly name: string
  /** Plan of the account; `GET /v1/billing/plan` returns its limits. */
  readonly plan: 'free' | 'payg' | 'pro'
  /** Present on accounts that the operator created, which pay nothing; absent on all others. */
  readonly tariff?: 'self_hosted'
  /** Present on accounts of operators, who can see the machines; absent on all others. */
  readonly operator?: boolean
  /** Time of creation. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

/** A second factor with its recovery codes. */
export interface ActivatedSecondFactor {
  /** Whether logins by password need a code. */
  readonly active: boolean
  /** Time of the activation; null while no second factor is active. */
  readonly activated_at: string | null
  /** Number of unused recovery codes. */
  readonly recovery_codes_left: number
  /** Recovery codes; shown only once and not in a replayed answer. */
  readonly recovery_codes?: readonly string[]
}

/** Credential of a game or a backend. */
export interface ApiKey {
  /** Id. */
  readonly key_id: string
  /** Project of the resource. */
  readonly project_id: string
  /** `client`: for games, visible to everybody. `server`: for backends. */
  readonly type: 'client' | 'server'
  /** Display name. */
  readonly name: string
  /** Last characters of the key's value. */
  readonly last4: string
  /** Time of creation. */
  readonly created_at: string
  /** Time of revocation; null while the key is valid. */
  readonly revoked_at: string | null
  /** Time from which the key is refused; null for a key without an expiry. */
  readonly expires_at: string | null
  /** Account of the person who created the server key; null for a client key, and for the first keys of a project. */
  readonly minted_by: string | null
  /** Role of the server key; null for a server key with all rights. */
  readonly role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner' | null
}

/** A lobby that entered a queue, with the outcome. */
export interface Arrival {
  /** Id. */
  readonly arrival_id: string
  /** The lobby. */
  readonly lobby_id: string
  /** Time at which the lobby entered the queue. */
  readonly entered_at: string
  /** Time at which the search ended; null while the lobby searches. */
  readonly left_at: string | null
  /** Outcome of the search; null while the lobby searches. */
  readonly outcome: 'matched' | 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable' | 'deleted' | 'matched_elsewhere' | 'banned' | null
  /** Match of the lobby; null without one. */
  readonly match_id: string | null
  /** Duration of the search in seconds; null while the lobby searches. */
  readonly wait_seconds: number | null
  /** Region that the lobby requested; null without one. */
  readonly region: Region | null
  /** Players of the lobby when it entered the queue. */
  readonly players: readonly ({
    /** The player. */
    readonly player_id: string
    /** Player's state that matchmaking used when the search ended: the fields of the rules, the roles, the game version if the queue shares one, and at most 8 other fields with numbers. Free-form, at most 16 kB and 16 levels deep. */
    readonly state: JsonObject
  })[]
}

/** A page of the arrivals at a queue. */
export interface Arrivals {
  /** Whether another page follows. */
  readonly has_more: boolean
  /** Items of this page. */
  readonly data: readonly Arrival[]
  /** Cursor of the next page; null on the last page. */
  readonly next_cursor: string | null
}

/** A port of a server of your own. */
export interface AssignedPort {
  /** Name by which players request the port. */
  readonly name: string
  /** Protocol of the port. */
  readonly protocol?: 'udp' | 'tcp' | 'tcp+udp' | undefined
  /** Port that players connect to. */
  readonly port: number
}

/** A server of your own that a match is assigned to. */
export interface AssignedServer {
  /** Id: `ext_` and the ULID of the match. */
  readonly instance_id: string
  /** Match that runs on the server. */
  readonly match_id: string
  /** Region of the server. */
  readonly region: Region
  /** Always `running`, from its assignment on. */
  readonly status: 'running'
  /** Ports that players connect to. */
  readonly network_ports: readonly PortMapping[]
  /** Custom data of your assignment. Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data: JsonObject
  /** base64url of 32 bytes: the key with which the server verifies join tokens (HS256). */
  readonly join_token_key: string
}

/** A change that a person or a server key made. */
export interface AuditEntry {
  /** Id of the entry. */
  readonly entry_id: string
  /** Project of the change; null for a change outside of projects. */
  readonly project_id: string | null
  /** Account that owns the changed things; null where only the project is known. */
  readonly account_id: string | null
  /** Time of the change. */
  readonly created_at: string
  /** Author of the change. */
  readonly actor: {
    /** Kind of the author: a person, a server key, or an operator. */
    readonly kind: 'session' | 'key' | 'operator'
    /** Account of the person; null for the key of a program and for an operator. */
    readonly account_id: string | null
    /** Session of the person; null without one. */
    readonly session_id: string | null
    /** The server key; null without one. */
    readonly key_id: string | null
    /** Network address of the call; null when it is unknown or older than 30 days. */
    readonly address: string | null
  }
  /** Name of the call. */
  readonly operation: string
  /** Thing to which the call applied; null without one. */
  readonly target: {
    /** Kind of the thing. */
    readonly kind: 'account' | 'session' | 'project' | 'api-key' | 'secret' | 'build' | 'queue' | 'ban' | 'rating' | 'machine' | 'webhook' | 'lobby' | 'match' | 'server' | 'member' | 'invitation' | 'problem' | 'player'
    /** Id of the thing; empty for a player whose data were erased. */
    readonly id: string
  } | null
  /** Changed things with their fields, at most 20 things and 50 fields. */
  readonly changes: readonly ({
    /** Kind of the thing. */
    readonly kind: 'account' | 'session' | 'project' | 'api-key' | 'secret' | 'build' | 'queue' | 'ban' | 'rating' | 'machine' | 'webhook' | 'lobby' | 'match' | 'server' | 'member' | 'invitation' | 'problem'
    /** Id of the thing. */
    readonly id: string
    /** Kind of the change. */
    readonly change: 'created' | 'changed' | 'removed'
    /** Fields that differ. */
    readonly fields: readonly ({
      /** Path of the field. */
      readonly name: string
      /** Value before the change; null without one. */
      readonly before?: unknown
      /** Value after the change; null without one. */
      readonly after?: unknown
      /** Whether the values are hidden; absent when they are shown. */
      readonly is_hidden?: boolean
    })[]
  })[]
  /** Ids of the players whom the call named. */
  readonly player_ids: readonly string[]
}

/** A request for players who fill open seats of a running match. */
export interface Backfill {
  /** The match. */
  readonly match_id: string
  /** Version of the request; the request ends when its seats are filled. */
  readonly status: 'searching'
  /** The teams with open seats. */
  readonly teams: readonly ({
    /** The team. */
    readonly name: string
    /** Number of open seats. */
    readonly open: number
    /** Open seats by role, when the teams have roles. */
    readonly roles?: { readonly [name: string]: number }
  })[]
  /** Time at which the request expires. */
  readonly expires_at: string
  /** Time of creation. */
  readonly created_at: string
}

/** Whether and how open seats of running matches are filled. */
export interface BackfillSettings {
  /** Whether the service requests players by itself when a player leaves a running match. */
  readonly automatic?: boolean | undefined
  /** Whether open seats are filled before new matches are made, or with the players whom new matches leave. */
  readonly priority?: 'after' | 'before' | undefined
  /** Seconds after which a request expires; 300 by default. */
  readonly timeout?: number | undefined
}

/** A player who may not play in the project, or in some of its queues. */
export interface Ban {
  /** The banned player; null after the player's data were erased. */
  readonly player_id: string | null
  /** Reason that the player may read. */
  readonly reason: string | null
  /** Note for the project's developers and backend. */
  readonly note: string | null
  /** End of the ban; null for a ban without an end. */
  readonly until: string | null
  /** Queues that the player may not enter; null for the whole project. */
  readonly queues: readonly string[] | null
  /** Time at which the ban began. */
  readonly created_at: string
  /** Time at which the ban was last replaced. */
  readonly updated_at: string
  /** Author of the ban. */
  readonly created_by: {
    /** Kind of the credential. */
    readonly kind: 'key' | 'session' | 'embedded'
    /** Id of the key or the account; null without one. */
    readonly id: string | null
    /** Name of the key; null without one. */
    readonly name: string | null
  }
}

/** An address at which a client measures its latency to a region. */
export interface Beacon {
  /** Name or address of the host that answers by UDP. */
  readonly host: string
  /** UDP port; absent when the host answers no UDP requests. */
  readonly udp_port?: number
  /** URL that answers a GET request without a body, for browsers; absent without one. */
  readonly url?: string
}

/** A second factor that is not active yet. */
export interface BegunSecondFactor {
  /** Secret in base32, shown only once and not in a replayed answer. */
  readonly secret?: string
  /** Address `otpauth://…` for a QR code, shown only once and not in a replayed answer. */
  readonly uri?: string
}

/** Amount that a month of a project may cost, with its cost and forecast. */
export interface Budget {
  /** Amount for each calendar month (UTC) in US dollars; null without a budget. */
  readonly monthly_usd: number | null
  /** The present month: `2026-03`. */
  readonly period: string
  /** Cost of the month until now in US dollars, before the credit; at most a minute old. */
  readonly spent: number
  /** Cost of the whole month at the mean rate since yesterday (UTC), in US dollars. */
  readonly forecast: number
}

/** A version of the program that game servers run. */
export interface Build {
  /** Id. */
  readonly build_id: string
  /** Name of the build, which servers reference as `version_tag`. */
  readonly name: string
  /** Version among the builds of one name: 1 for the first, one more for each upload. */
  readonly version: number
  /** Status; `ready` when servers can run the build. */
  readonly status: 'uploading' | 'processing' | 'ready' | 'failed' | 'deleted'
  /** Kind of the build: an archive (`zip`) or a container image. */
  readonly build_type: 'zip' | 'docker_image'
  /** Whether the build is disabled: no new server is launched from it; running servers continue. */
  readonly disabled: boolean
  /** Time since which the build is drained; null when it is not drained. */
  readonly draining_since: string | null
  /** Time at which a drained build had no live server any more; null while it has one, and without a drain. */
  readonly drained_at: string | null
  /** Account or server key that uploaded or registered the build; null for a build of an earlier release. */
  readonly created_by: {
    /** Kind of the credential. */
    readonly kind: 'key' | 'session' | 'embedded'
    /** Id of the key or the account; null without one. */
    readonly id: string | null
    /** Name of the key; null without one. */
    readonly name: string | null
  } | null
  /** Time of creation. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
  /** Path of the program in the archive; only for `zip`. */
  readonly executable_path?: string
  /** Reference of the container image; only for `docker_image`. */
  readonly image_url?: string
  /** Reason of the failure; null unless the status is `failed`. */
  readonly error_message: string | null
}

/** Log of the processing of a build. */
export interface BuildLogs {
  /** The build. */
  readonly build_id: string
  /** Lines in order, the oldest first. */
  readonly logs: readonly ({
    /** Time of the entry. */
    readonly timestamp: string
    /** Severity. */
    readonly level: 'info' | 'warn' | 'error'
    /** Text of the line. */
    readonly message: string
  })[]
}

/** Predicted and real outcomes of the rated matches. */
export interface Calibration {
  /** Number of rated matches. */
  readonly matches: number
  /** Ten buckets by predicted probability. */
  readonly buckets: readonly ({
    /** Smallest predicted probability of the bucket. */
    readonly from: number
    /** Largest predicted probability of the bucket. */
    readonly to: number
    /** Number of teams. */
    readonly count: number
    /** Mean of their predicted probabilities of winning; null without teams. */
    readonly predicted: number | null
    /** Share of them that won, a shared win counting in parts; null without teams. */
    readonly actual: number | null
  })[]
}

/** A new project, with its keys. */
export interface CreatedProject {
  /** Id. */
  readonly project_id: string
  /** Account that owns the project. */
  readonly account_id: string
  /** Display name. */
  readonly name: string
  /** Name of the project in addresses (slug). */
  readonly slug: string
  /** Role of the session's account in the project; `owner` for the account that owns the project. */
  readonly role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner'
  /** Time of creation. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
  /** A client key and a server key with their values, which are shown only once. */
  readonly keys: readonly MintedApiKey[]
}

/** A message to a webhook, with its attempts. */
export interface Delivery {
  /** Id. */
  readonly delivery_id: string
  /** Webhook that the message goes to. */
  readonly webhook_id: string
  /** Id of the message; `webhook-id` of every attempt. */
  readonly message_id: string
  /** Type of the event. */
  readonly type: string
  /** Status of the delivery; a `pending` delivery is tried again. */
  readonly status: 'pending' | 'delivered' | 'failed'
  /** Attempts, the oldest first. */
  readonly attempts: readonly ({
    /** Time of the attempt. */
    readonly at: string
    /** HTTP status of the answer; null without an answer. */
    readonly status_code: number | null
    /** Error of the attempt; null when it succeeded. */
    readonly error: string | null
    /** Duration in milliseconds. */
    readonly duration_ms: number
  })[]
  /** Time of the next attempt; null without one. */
  readonly next_attempt_at: string | null
  /** Time of creation. */
  readonly created_at: string
}

/** The catalogue of errors. */
export interface ErrorIndex {
  /** All errors, sorted by number. */
  readonly errors: readonly ({
    /** Stable code of the error. */
    readonly code: 'INVALID_API_KEY' | 'MISSING_CREDENTIALS' | 'INVALID_SESSION_TOKEN' | 'SESSION_EXPIRED' | 'CREDENTIAL_NOT_ALLOWED' | 'PLAYER_ID_REQUIRED' | 'INVALID_PLAYER_ID' | 'INVALID_LOGIN' | 'EMAIL_TAKEN' | 'PLAYER_TOKEN_REQUIRED' | 'INVALID_PLAYER_TOKEN' | 'REGISTRATION_CLOSED' | 'INVALID_MACHINE_TOKEN' | 'SESSION_NOT_FOUND' | 'SECOND_FACTOR_REQUIRED' | 'SECOND_FACTOR_STATE' | 'SECOND_FACTOR_REFUSED' | 'SERVER_NOT_FOUND' | 'INVALID_SERVER_STATE' | 'SERVER_LAUNCH_FAILED' | 'MACHINE_NOT_FOUND' | 'BUILD_NOT_FOUND' | 'BUILD_NOT_READY' | 'BUILD_IN_USE' | 'UPLOAD_REJECTED' | 'LOBBY_NOT_FOUND' | 'LOBBY_FULL' | 'PLAYER_NOT_IN_LOBBY' | 'NOT_HOST' | 'INVALID_INVITE_CODE' | 'PLAYER_STATE_FORBIDDEN' | 'INVALID_LOBBY_STATE' | 'LOBBY_NOT_ACCEPTING' | 'INVITE_CODES_EXHAUSTED' | 'PLAYER_BANNED' | 'BAN_NOT_FOUND' | 'BAN_LIMIT' | 'QUEUE_NOT_FOUND' | 'QUEUE_DISABLED' | 'QUEUE_EXISTS' | 'QUEUE_IN_USE' | 'QUEUE_VERSION_NOT_FOUND' | 'RATING_NOT_FOUND' | 'RATING_IN_USE' | 'MATCHMAKING_NOT_CONFIGURED' | 'PARTY_TOO_LARGE' | 'PARTY_CANNOT_MATCH' | 'MATCH_NOT_FOUND' | 'INVALID_MATCH_STATE' | 'NO_PROPOSAL' | 'PROPOSAL_CHANGED' | 'PLAYER_COOLING_DOWN' | 'PLAYER_IN_MATCH' | 'MATCH_FULL' | 'SEAT_NOT_FOUND' | 'RESULT_EXISTS' | 'TOO_MANY_SEARCHES' | 'BACKFILL_NOT_FOUND' | 'PLAN_LIMIT_EXCEEDED' | 'PAYMENT_METHOD_REQUIRED' | 'INVALID_PLAN_CHANGE' | 'PROJECT_NOT_FOUND' | 'PROJECT_HAS_RUNNING_SERVERS' | 'ROLE_NOT_ALLOWED' | 'MEMBER_NOT_FOUND' | 'INVITATION_NOT_FOUND' | 'PROBLEM_NOT_FOUND' | 'VALIDATION_FAILED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'RATE_LIMITED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'UNAVAILABLE' | 'CONFLICT' | 'INTERNAL' | 'IDEMPOTENCY_MISMATCH' | 'KEY_NOT_FOUND' | 'KEY_REVOKED' | 'WEBHOOK_NOT_FOUND' | 'WEBHOOK_ADDRESS_REFUSED' | 'WEBHOOK_LIMIT' | 'SECRET_NOT_FOUND' | 'SECRET_LIMIT'
    /** Stable number of the error. */
    readonly number: number
    /** HTTP status of the answer. */
    readonly status: number
    /** Meaning of the error, in one sentence. */
    readonly title: string
    /** Path of the error's page. */
    readonly page: string
  })[]
}

/** Full description of an error. */
export interface ErrorPage {
  /** Stable code of the error. */
  readonly code: 'INVALID_API_KEY' | 'MISSING_CREDENTIALS' | 'INVALID_SESSION_TOKEN' | 'SESSION_EXPIRED' | 'CREDENTIAL_NOT_ALLOWED' | 'PLAYER_ID_REQUIRED' | 'INVALID_PLAYER_ID' | 'INVALID_LOGIN' | 'EMAIL_TAKEN' | 'PLAYER_TOKEN_REQUIRED' | 'INVALID_PLAYER_TOKEN' | 'REGISTRATION_CLOSED' | 'INVALID_MACHINE_TOKEN' | 'SESSION_NOT_FOUND' | 'SECOND_FACTOR_REQUIRED' | 'SECOND_FACTOR_STATE' | 'SECOND_FACTOR_REFUSED' | 'SERVER_NOT_FOUND' | 'INVALID_SERVER_STATE' | 'SERVER_LAUNCH_FAILED' | 'MACHINE_NOT_FOUND' | 'BUILD_NOT_FOUND' | 'BUILD_NOT_READY' | 'BUILD_IN_USE' | 'UPLOAD_REJECTED' | 'LOBBY_NOT_FOUND' | 'LOBBY_FULL' | 'PLAYER_NOT_IN_LOBBY' | 'NOT_HOST' | 'INVALID_INVITE_CODE' | 'PLAYER_STATE_FORBIDDEN' | 'INVALID_LOBBY_STATE' | 'LOBBY_NOT_ACCEPTING' | 'INVITE_CODES_EXHAUSTED' | 'PLAYER_BANNED' | 'BAN_NOT_FOUND' | 'BAN_LIMIT' | 'QUEUE_NOT_FOUND' | 'QUEUE_DISABLED' | 'QUEUE_EXISTS' | 'QUEUE_IN_USE' | 'QUEUE_VERSION_NOT_FOUND' | 'RATING_NOT_FOUND' | 'RATING_IN_USE' | 'MATCHMAKING_NOT_CONFIGURED' | 'PARTY_TOO_LARGE' | 'PARTY_CANNOT_MATCH' | 'MATCH_NOT_FOUND' | 'INVALID_MATCH_STATE' | 'NO_PROPOSAL' | 'PROPOSAL_CHANGED' | 'PLAYER_COOLING_DOWN' | 'PLAYER_IN_MATCH' | 'MATCH_FULL' | 'SEAT_NOT_FOUND' | 'RESULT_EXISTS' | 'TOO_MANY_SEARCHES' | 'BACKFILL_NOT_FOUND' | 'PLAN_LIMIT_EXCEEDED' | 'PAYMENT_METHOD_REQUIRED' | 'INVALID_PLAN_CHANGE' | 'PROJECT_NOT_FOUND' | 'PROJECT_HAS_RUNNING_SERVERS' | 'ROLE_NOT_ALLOWED' | 'MEMBER_NOT_FOUND' | 'INVITATION_NOT_FOUND' | 'PROBLEM_NOT_FOUND' | 'VALIDATION_FAILED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'RATE_LIMITED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'UNAVAILABLE' | 'CONFLICT' | 'INTERNAL' | 'IDEMPOTENCY_MISMATCH' | 'KEY_NOT_FOUND' | 'KEY_REVOKED' | 'WEBHOOK_NOT_FOUND' | 'WEBHOOK_ADDRESS_REFUSED' | 'WEBHOOK_LIMIT' | 'SECRET_NOT_FOUND' | 'SECRET_LIMIT'
  /** Stable number of the error. */
  readonly number: number
  /** HTTP status of the answer. */
  readonly status: number
  /** Meaning of the error, in one sentence. */
  readonly title: string
  /** What happened, and its usual causes. Code is between backticks. */
  readonly happened: string
  /** How to solve the problem. */
  readonly mend: string
  /** Content of `details`; null when it is empty. */
  readonly details: string | null
  /** Result of the same request when it is sent again. */
  readonly retry: 'in-vain' | 'when-changed' | 'after-a-pause' | 'at-once' | 'in-time' | 'in-doubt' | 'never-answered'
  /** The same, as a sentence. */
  readonly retry_words: string
  /** Operations that can return this error. */
  readonly operations: readonly ({
    /** Id of the operation in the OpenAPI document. */
    readonly operation: string
    /** HTTP method, in capitals. */
    readonly method: string
    /** Path template, as in the OpenAPI document. */
    readonly path: string
  })[]
  /** Other places that return this error; null when there are none. */
  readonly also: string | null
  /** Similar errors, and errors that often follow. */
  readonly near: readonly ('INVALID_API_KEY' | 'MISSING_CREDENTIALS' | 'INVALID_SESSION_TOKEN' | 'SESSION_EXPIRED' | 'CREDENTIAL_NOT_ALLOWED' | 'PLAYER_ID_REQUIRED' | 'INVALID_PLAYER_ID' | 'INVALID_LOGIN' | 'EMAIL_TAKEN' | 'PLAYER_TOKEN_REQUIRED' | 'INVALID_PLAYER_TOKEN' | 'REGISTRATION_CLOSED' | 'INVALID_MACHINE_TOKEN' | 'SESSION_NOT_FOUND' | 'SECOND_FACTOR_REQUIRED' | 'SECOND_FACTOR_STATE' | 'SECOND_FACTOR_REFUSED' | 'SERVER_NOT_FOUND' | 'INVALID_SERVER_STATE' | 'SERVER_LAUNCH_FAILED' | 'MACHINE_NOT_FOUND' | 'BUILD_NOT_FOUND' | 'BUILD_NOT_READY' | 'BUILD_IN_USE' | 'UPLOAD_REJECTED' | 'LOBBY_NOT_FOUND' | 'LOBBY_FULL' | 'PLAYER_NOT_IN_LOBBY' | 'NOT_HOST' | 'INVALID_INVITE_CODE' | 'PLAYER_STATE_FORBIDDEN' | 'INVALID_LOBBY_STATE' | 'LOBBY_NOT_ACCEPTING' | 'INVITE_CODES_EXHAUSTED' | 'PLAYER_BANNED' | 'BAN_NOT_FOUND' | 'BAN_LIMIT' | 'QUEUE_NOT_FOUND' | 'QUEUE_DISABLED' | 'QUEUE_EXISTS' | 'QUEUE_IN_USE' | 'QUEUE_VERSION_NOT_FOUND' | 'RATING_NOT_FOUND' | 'RATING_IN_USE' | 'MATCHMAKING_NOT_CONFIGURED' | 'PARTY_TOO_LARGE' | 'PARTY_CANNOT_MATCH' | 'MATCH_NOT_FOUND' | 'INVALID_MATCH_STATE' | 'NO_PROPOSAL' | 'PROPOSAL_CHANGED' | 'PLAYER_COOLING_DOWN' | 'PLAYER_IN_MATCH' | 'MATCH_FULL' | 'SEAT_NOT_FOUND' | 'RESULT_EXISTS' | 'TOO_MANY_SEARCHES' | 'BACKFILL_NOT_FOUND' | 'PLAN_LIMIT_EXCEEDED' | 'PAYMENT_METHOD_REQUIRED' | 'INVALID_PLAN_CHANGE' | 'PROJECT_NOT_FOUND' | 'PROJECT_HAS_RUNNING_SERVERS' | 'ROLE_NOT_ALLOWED' | 'MEMBER_NOT_FOUND' | 'INVITATION_NOT_FOUND' | 'PROBLEM_NOT_FOUND' | 'VALIDATION_FAILED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'RATE_LIMITED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'UNAVAILABLE' | 'CONFLICT' | 'INTERNAL' | 'IDEMPOTENCY_MISMATCH' | 'KEY_NOT_FOUND' | 'KEY_REVOKED' | 'WEBHOOK_NOT_FOUND' | 'WEBHOOK_ADDRESS_REFUSED' | 'WEBHOOK_LIMIT' | 'SECRET_NOT_FOUND' | 'SECRET_LIMIT')[]
  /** A recorded answer; null for an error that is never sent as an answer. */
  readonly example: {
    /** Method of the request. */
    readonly method: string
    /** Path of the request. */
    readonly path: string
    /** Relevant headers of the request; secrets are cut off. */
    readonly sent_headers: { readonly [name: string]: string }
    /** Body of the request; absent without a body. */
    readonly body?: unknown
    /** Headers of the answer that tell the client what to do. */
    readonly headers: { readonly [name: string]: string }
    /** The problem document. */
    readonly answer: JsonObject
  } | null
}

/** A player's live match, searches, lobbies, matches, exits and bans. */
export interface FoundPlayer {
  /** The player. */
  readonly player_id: string
  /** Match that keeps the player out of other matches; null without one. */
  readonly live_match: LiveMatch | null
  /** Lobbies of the player that search for a match, the longest search first. */
  readonly searches: readonly PlayerSearch[]
  /** Queues that the player may not enter yet; the first 100 queues are examined. */
  readonly cooldowns: readonly PlayerCooldown[]
  /** Lobbies of the player, the newest first. */
  readonly lobbies: readonly Lobby[]
  /** Last matches of the player, the newest first; at most 20. */
  readonly matches: readonly Match[]
  /** Last exits of the player's lobbies, the newest first; at most 20. */
  readonly last_exits: readonly PlayerExit[]
  /** Standings of the player in the present seasons, by rating id. */
  readonly ratings: readonly Standing[]
  /** Whether lobbies or matches are missing, because there are too many. */
  readonly has_more: boolean
  /** Bans of the player that are in force; at most one. */
  readonly bans: readonly Ban[]
}

/** Figures of a project over time. */
export interface History {
  /** The queue; null for the sums over all queues of the project. */
  readonly queue_id: string | null
  /** Start of the first slot. */
  readonly from: string
  /** End of the last slot. */
  readonly to: string
  /** Length of the slots. */
  readonly step: '1m' | '5m' | '1h' | '1d'
  /** Series, in the order in which they were requested. */
  readonly series: readonly ({
    /** Name of the series. */
    readonly name: 'searching' | 'waits' | 'matches' | 'exits' | 'crashes' | 'ends' | 'cost' | 'servers' | 'spread' | 'streams' | 'refusals'
    /** Points, oldest first. A slot without a point had nothing to count. */
    readonly points: readonly ({
      /** Start of the slot. */
      readonly at: string
      /** Figure of the slot: mean number of players (`searching`), of running servers (`servers`) or of open streams (`streams`), matched parties (`waits`), matches (`spread`), micro-USD (`cost`), else events. */
      readonly value: number
      /** Largest number of players who searched in one queue; only in `searching`. */
      readonly most?: number
      /** Wait of the matched parties; only in `waits`. Each figure differs from the exact wait by at most 25 %, or by at most one second if the wait is below one second. */
      readonly wait_seconds?: {
        /** Median in seconds; null without matches. */
        readonly p50: number | null
        /** p90 in seconds; null without matches. */
        readonly p90: number | null
        /** p99 in seconds; null without matches. */
        readonly p99: number | null
      }
      /** Figures by reason (`exits`), build version (`crashes`, `servers`), build version and cause (`ends`), tier (`cost`), side (`streams`: `clients` and `backend`) or error code (`refusals`); only in these series. */
      readonly parts?: { readonly [name: string]: number }
      /** Difference between the highest and the lowest value of a field in a match, by numeric field of the rules; only in `spread`. Each figure differs from the exact one by at most 40 %. */
      readonly spreads?: { readonly [name: string]: {
        /** Median. */
        readonly p50: number
        /** p90. */
        readonly p90: number
        /** p99. */
        readonly p99: number
      } }
    })[]
  })[]
}

/** Skill of a player without matches. */
export interface InitialSkill {
  /** Estimate of the skill. */
  readonly mu?: number | undefined
  /** Uncertainty of the estimate. */
  readonly sigma?: number | undefined
}

/** An invitation to a project. */
export interface Invitation {
  /** Id. */
  readonly invitation_id: string
  /** Project of the invitation. */
  readonly project_id: string
  /** Role that the account gets. */
  readonly role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner'
  /** E-mail address for which the invitation is meant; null without one. */
  readonly email: string | null
  /** Account that made the invitation; null for a program of the operator. */
  readonly invited_by: string | null
  /** Time of creation. */
  readonly created_at: string
  /** Time from which the invitation is refused. */
  readonly expires_at: string
}

/** Invite codes, by which other players join. */
export interface InviteCodeConfig {
  /** Whether lobbies have an invite code. */
  readonly enabled?: boolean | undefined
  /** Number of random characters after the prefix. */
  readonly length?: number | undefined
  /** Characters of the random part: `alphanumeric` is upper-case letters and digits; `alphanumeric` and `alphabetic` leave out look-alikes (0 O, 1 I L). */
  readonly charset?: 'alphanumeric' | 'numeric' | 'alphabetic' | undefined
  /** Text before the random part. */
  readonly prefix?: string | undefined
}

/** A token with which a player joins a game server. */
export interface JoinToken {
  /** A JWT, HS256 by `join_token_key`: `aud` match, `sub` player, `instance_id`, `team`, `role`. */
  readonly token: string
  /** Time of expiry. */
  readonly expires_at: string
}

/** A problem of a project, from its opening to its end. */
export interface KeptProblem {
  /** Id, by which the problem is acknowledged and muted. Problems with equal code, subject and build share it. */
  readonly id: string
  /** Code of the problem, for programs. */
  readonly code: 'launches_failed' | 'servers_crashed' | 'build_not_ready' | 'plan_limit_reached' | 'budget_passed' | 'webhook_disabled' | 'node_silent' | 'machine_paused' | 'players_wait' | 'waiting_for_room' | 'webhook_failing' | 'build_failed' | 'budget_near' | 'plan_limit_near'
  /** Severity. */
  readonly severity: 'error' | 'warning'
  /** Description of the problem. */
  readonly sentence: string
  /** Affected resource. */
  readonly subject: {
    /** Kind of the affected resource. */
    readonly kind: 'queue' | 'server' | 'build' | 'webhook' | 'node' | 'account' | 'project'
    /** Id of the affected resource. */
    readonly id: string
  }
  /** Number of occurrences. */
  readonly count: number
  /** Data for programs: the build. */
  readonly details: {
    /** Examples of the cause. */
    readonly cause?: string
    /** The name of the build. */
    readonly version_tag?: string
    /** Id of the build that ran. */
    readonly build_id?: string
    /** Version of the build that ran. */
    readonly build_version?: number
    /** Affected servers. */
    readonly instance_ids?: readonly string[]
    /** Share of crashes of the build, when at least half of its last servers crashed. */
    readonly wave?: {
      /** Number of servers that crashed. */
      readonly crashed: number
      /** Number of servers among which they are counted: those of the build that ended last, at most 50. */
      readonly ended: number
      /** Whether each of these servers had a match. */
      readonly is_of_matches: boolean
      /** Time of the first of these crashes. */
      readonly first_at: string
      /** Trend of the share of crashes, from the older half of these servers to the newer half. */
      readonly trend: 'rising' | 'steady' | 'falling'
    }
    /** Rule that refuses the most parties. */
    readonly rule?: {
      /** Type of the rule. */
      readonly type: string
      /** Field in the players' states; null for a rule that reads none. */
      readonly field: string | null
      /** Share of parties that the rule refuses, from 0 to 1. */
      readonly rejected_share: number
    }
    /** Region that no machine serves. */
    readonly region?: Region
    /** The address. */
    readonly url?: string
    /** Limit of the plan. */
    readonly limit?: string
    /** Value that the plan allows. */
    readonly allowed?: number
    /** Value that is used. */
    readonly used?: number
    /** Budget, cost and forecast of the month. */
    readonly budget?: {
      /** Budget of the month in US dollars. */
      readonly monthly_usd: number
      /** Cost of the month until now in US dollars. */
      readonly spent: number
      /** Cost of the whole month at the mean rate since yesterday (UTC), in US dollars. */
      readonly forecast: number
    }
  }
  /** Time at which the service opened the problem. */
  readonly opened_at: string
  /** Time at which the problem was closed; null while it is open. */
  readonly closed_at: string | null
  /** Acknowledgement; null without one. */
  readonly acknowledged: {
    /** Author of the note. */
    readonly by: {
      /** Kind of the credential. */
      readonly kind: 'key' | 'session' | 'embedded'
      /** Id of the key or the account; null without one. */
      readonly id: string | null
      /** Name of the key; null without one. */
      readonly name: string | null
    }
    /** Time of the note. */
    readonly at: string
    /** The note; null without one. */
    readonly note: string | null
  } | null
  /** Mute; null without one. */
  readonly muted: {
    /** Author of the mute. */
    readonly by: {
      /** Kind of the credential. */
      readonly kind: 'key' | 'session' | 'embedded'
      /** Id of the key or the account; null without one. */
      readonly id: string | null
      /** Name of the key; null without one. */
      readonly name: string | null
    }
    /** End of the mute. */
    readonly until: string
    /** The reason; null without one. */
    readonly reason: string | null
  } | null
}

/** A seat of a running match that is kept for one player. */
export interface KeptSeat {
  /** Player for whom the seat is kept. */
  readonly player_id: string
  /** Team of the seat. */
  readonly team: string
  /** Time at which the seat is free again. */
  readonly expires_at: string
}

/** A match that has not ended and that keeps its players out of other matches. */
export interface LiveMatch {
  /** The match. */
  readonly match_id: string
  /** Queue of the match. */
  readonly queue_id: string
  /** Lobby with which the player is in the match. */
  readonly lobby_id: string
  /** Status of the match. */
  readonly status: 'proposed' | 'launching' | 'running' | 'ended'
  /** Server of the match; null without one. */
  readonly server: ServerSummary | null
}

/** A lobby. */
export interface Lobby {
  /** Id. */
  readonly lobby_id: string
  /** Queue of the lobby. */
  readonly queue_id: string
  /** Status: `waiting`; `in_queue` (it searches); `matched` or `starting` (its server starts); `in_game` (its match runs). */
  readonly status: 'waiting' | 'in_queue' | 'matched' | 'starting' | 'in_game'
  /** Player who may change, start and close the lobby. */
  readonly host_player_id: string
  /** Whether the lobby is private: not in lists, joined only by invite code. */
  readonly is_private: boolean
  /** Maximum number of players. */
  readonly max_players: number
  /** Number of players in the lobby. */
  readonly current_players: number
  /** Players in the order in which they joined. */
  readonly players: readonly Player[]
  /** Display name in lists; absent without one. */
  readonly name?: string
  /** Region for a match that is started directly; absent without one. */
  readonly region?: Region
  /** Invite code; null when the queue has no invite codes. */
  readonly invite_code: string | null
  /** Settings of the host, for example mode or map. A change replaces all of them. Lists can filter by the first 16 keys. Free-form, at most 16 kB and 16 levels deep. */
  readonly settings: JsonObject
  /** Server of the lobby's match; null until the server has ports, and after the match. */
  readonly server: ServerSummary | null
  /** Match of the lobby; null without one. */
  readonly match_id: string | null
  /** Proposed match that the players must accept; absent without one. */
  readonly proposal?: Proposal
  /** Reason of the last return to `waiting`; null after the lobby has entered the queue again. */
  readonly last_exit: LobbyExit | null
  /** Ids of banned players; only for members and server keys. */
  readonly banned?: readonly string[]
  /** Warnings about a region that no machine serves; only in answers to the calls that create, read or change the lobby. */
  readonly warnings?: readonly string[]
  /** Version, which grows by one with each change; also the id of its stream event. */
  readonly version: number
  /** Time of creation. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

/** Reason of a lobby's return to `waiting`. */
export interface LobbyExit {
  /** Reason, for programs. */
  readonly reason: 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable' | 'launch_failed' | 'no_room' | 'build_missing' | 'match_ended' | 'server_stopped' | 'server_failed' | 'server_expired' | 'backend_ended' | 'matched_elsewhere' | 'banned' | 'match_expired'
  /** Explanation for a developer. */
  readonly detail: string
  /** Time of the exit. */
  readonly at: string
  /** Whether the service puts the lobby back into its queue in a moment, after a failed launch; absent otherwise. */
  readonly will_requeue?: true
}

/** A machine that runs game servers. */
export interface Machine {
  /** Id; servers have it as `node_id`. */
  readonly machine_id: string
  /** Display name. */
  readonly name: string
  /** Kind; an `agent` connects with a token, and several nodes share a `cluster`. */
  readonly kind: 'node' | 'agent' | 'cluster'
  /** Regions whose servers run on the machine, in order of preference; empty until an agent has connected. */
  readonly regions: readonly Region[]
  /** Status; only a `ready` machine gets new servers, and a `drained` one has none. */
  readonly status: 'ready' | 'cordoned' | 'draining' | 'drained' | 'lost'
  /** Cause of `cordoned`, when launches failed and the machine pauses by itself; else null. */
  readonly status_reason: string | null
  /** Time at which the remaining servers are stopped; null without a deadline. */
  readonly drain_by: string | null
  /** Number of servers. */
  readonly servers: number
  /** Limits for all servers together. */
  readonly capacity: {
    /** Maximum number of servers; absent without a limit. */
    readonly servers?: number
    /** Maximum number of processors for all servers together; absent without a limit. */
    readonly cpus?: number
    /** Maximum megabytes of memory for all servers together; absent without a limit. */
    readonly memory_mb?: number
  }
  /** Capacity that the servers use. */
  readonly used: {
    /** Number of servers. */
    readonly servers: number
    /** Processors of these servers. */
    readonly cpus: number
    /** Megabytes of memory of these servers. */
    readonly memory_mb: number
  }
  /** Load of the machine, as it last reported it; null when it was not measured. */
  readonly load: {
    /** Load average of the last minute, in percent of all processors; above 100 when programs wait for a processor. */
    readonly cpu_percent: number
    /** Memory in use by all programs, in megabytes. */
    readonly memory_mb: number
  } | null
  /** Version of the service on the machine; null for a cluster. */
  readonly version: string | null
  /** Address at which players reach the servers; null when it is not configured. */
  readonly host: string | null
  /** URL at which other nodes request the logs of its servers; null without one, and for a cluster. */
  readonly peer_url: string | null
  /** Time of the last report; null when there is none. */
  readonly last_seen_at: string | null
  /** Whether its agent can connect with a token; false for other kinds of machines. */
  readonly has_token: boolean
  /** Time of the first report, or of the first token. */
  readonly created_at: string
}

/** An invitation, with its token. */
export interface MadeInvitation {
  /** Id. */
  readonly invitation_id: string
  /** Project of the invitation. */
  readonly project_id: string
  /** Role that the account gets. */
  readonly role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner'
  /** E-mail address for which the invitation is meant; null without one. */
  readonly email: string | null
  /** Account that made the invitation; null for a program of the operator. */
  readonly invited_by: string | null
  /** Time of creation. */
  readonly created_at: string
  /** Time from which the invitation is refused. */
  readonly expires_at: string
  /** Token for the invited person, shown only once and not in a replayed answer. */
  readonly token?: string
}

/** A match. */
export interface Match {
  /** Id. */
  readonly match_id: string
  /** Queue of the match. */
  readonly queue_id: string
  /** Status: `proposed` (its players are asked), `launching` (its server starts), `running`, `ended`. */
  readonly status: 'proposed' | 'launching' | 'running' | 'ended'
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Region of the match. */
  readonly region: Region
  /** Teams with their players. */
  readonly teams: readonly ({
    /** Name of the team. */
    readonly name: string
    /** Players of the team, including those who have left. */
    readonly players: readonly ({
      /** Id of the player; empty after the player was erased. */
      readonly player_id: string
      /** Lobby of the player. */
      readonly lobby_id: string
      /** Role in the team; null when the queue has no roles. */
      readonly role: string | null
      /** Time at which the player left the running match. */
      readonly left_at?: string
    })[]
  })[]
  /** Server of the match; null without one. */
  readonly server: ServerSummary | null
  /** Id of the server that the service launched for the match; null without one, and for a server of your own. */
  readonly server_id: string | null
  /** Build that the server ran; null before, and for a server of your own. Always null for client keys. */
  readonly build_id: string | null
  /** Name of that build; else null. */
  readonly version_tag: string | null
  /** Version of that build; else null. */
  readonly build_version: number | null
  /** Current request for players; absent without one, and for client keys. */
  readonly backfill?: {
    /** The teams with open seats. */
    readonly teams: readonly ({
      /** The team. */
      readonly name: string
      /** Number of open seats. */
      readonly open: number
      /** Open seats by role, when the teams have roles. */
      readonly roles?: { readonly [name: string]: number }
    })[]
    /** Time at which the request expires. */
    readonly expires_at: string
  }
  /** Open seats that are kept for players, who join by them; absent without one, and for client keys. */
  readonly kept_seats?: readonly ({
    /** Player for whom the seat is kept. */
    readonly player_id: string
    /** Team of the seat. */
    readonly team: string
    /** Role of the seat; null when the queue has no roles. */
    readonly role: string | null
    /** Player of the match who asked for the seat; null for your backend and the game server. */
    readonly kept_by: string | null
    /** Time at which the seat is free again. */
    readonly expires_at: string
  })[]
  /** Time of creation. */
  readonly created_at: string
  /** Time at which the match began; null if it never began. */
  readonly started_at: string | null
  /** Result that the game server or a backend reported; null without one. */
  readonly result: MatchResult | null
  /** How even the match was when it was made, by the rating of its queue; absent without one, and for client keys. */
  readonly quality?: {
    /** Predicted probability that each team wins, in the order of `teams`. */
    readonly win_probability: readonly number[]
  }
  /** Time at which the match ended; null before. */
  readonly ended_at: string | null
  /** Reason of the end, as in `last_exit`; null before the end. */
  readonly end_reason: 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable' | 'launch_failed' | 'no_room' | 'build_missing' | 'match_ended' | 'server_stopped' | 'server_failed' | 'server_expired' | 'backend_ended' | 'matched_elsewhere' | 'banned' | 'match_expired' | null
  /** Exit code of the server's process if its end ended the match; else null. Always null for client keys. */
  readonly exit_code: number | null
  /** Signal that ended that process, such as `SIGSEGV`; else null. Always null for client keys. */
  readonly exit_signal: string | null
}

/** The result of a match. */
export interface MatchResult {
  /** Results of the teams. */
  readonly teams: readonly ({
    /** Name of the team. */
    readonly name: string
    /** Place of the team, from 1; null when the scores decide. */
    readonly rank: number | null
    /** Score of the team; null without one. */
    readonly score: number | null
  })[]
  /** Results of players. */
  readonly players: readonly ({
    /** Id of the player; empty after the player was erased. */
    readonly player_id: string
    /** Score of the player; null without one. */
    readonly score: number | null
    /** Figures of the game about the player, at most 2 kB; shown to server keys only. Free-form, at most 16 kB and 16 levels deep. */
    readonly stats?: JsonObject
    /** Whether the player left before the match was decided. */
    readonly left: boolean
  })[]
  /** Whether the match was played to its end. */
  readonly completed: boolean
  /** Author of the result: `backend` (a server key) or `server` (the game server). */
  readonly recorded_by: 'backend' | 'server'
  /** Time at which the first result was recorded. */
  readonly recorded_at: string
  /** Time of the last amendment; null without one. */
  readonly amended_at: string | null
}

/** A rule that the players of a match must pass. See docs/matchmaking.md of the service. */
export type MatchRule = 
  | {
    /** Type of the rule. */
    readonly type: 'difference'
    /** Key in the players' states. */
    readonly field: string
    /** Maximum difference of the values. */
    readonly max_difference: number
    /** Whether a player without this field in the state may not enter the queue. `false` by default: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** Steps by which the rule relaxes while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Type of the rule. */
    readonly type: 'equals'
    /** Key in the players' states. */
    readonly field: string
    /** Whether a player without this field in the state may not enter the queue. `false` by default: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** Steps by which the rule relaxes while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Type of the rule. */
    readonly type: 'region'
    /** Key in the players' states; `regions` by default. */
    readonly field?: string | undefined
    /** Number of values that the players must have in common. */
    readonly min_overlap?: number | undefined
    /** Whether a player without this field in the state may not enter the queue. `false` by default: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** Steps by which the rule relaxes while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Type of the rule. */
    readonly type: 'not_equals'
    /** Key in the players' states. */
    readonly field: string
    /** Whether a player without this field in the state may not enter the queue. `false` by default: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** Steps by which the rule relaxes while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Type of the rule. */
    readonly type: 'min'
    /** Key in the players' states. */
    readonly field: string
    /** Bound of the rule. */
    readonly value: number
    /** Whether a player without this field in the state may not enter the queue. `false` by default: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** Steps by which the rule relaxes while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Type of the rule. */
    readonly type: 'max'
    /** Key in the players' states. */
    readonly field: string
    /** Bound of the rule. */
    readonly value: number
    /** Whether a player without this field in the state may not enter the queue. `false` by default: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** Steps by which the rule relaxes while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Type of the rule. */
    readonly type: 'intersection'
    /** Key in the players' states. */
    readonly field: string
    /** Number of values that the players must have in common. */
    readonly min_overlap?: number | undefined
    /** Whether a player without this field in the state may not enter the queue. `false` by default: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** Steps by which the rule relaxes while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Type of the rule. */
    readonly type: 'team_difference'
    /** Key in the players' states. */
    readonly field: string
    /** Maximum difference of the values. */
    readonly max_difference: number
    /** Whether a player without this field in the state may not enter the queue. `false` by default: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** Steps by which the rule relaxes while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Type of the rule. */
    readonly type: 'latency'
    /** Key in the players' states. */
    readonly field: string
    /** Maximum latency of each player to the match's region, in milliseconds. */
    readonly max_ms: number
    /** Whether a player without this field in the state may not enter the queue. `false` by default: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** Steps by which the rule relaxes while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Type of the rule. */
    readonly type: 'avoid'
    /** Key in the players' states; `avoid` by default. */
    readonly field?: string | undefined
    /** Players whom the rule keeps apart; `match` by default. */
    readonly scope?: 'match' | 'team' | undefined
    /** Whether a player without this field in the state may not enter the queue. `false` by default: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** Steps by which the rule relaxes while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Type of the rule. */
    readonly type: 'recent_opponents'
    /** Seconds after the beginning of a match in which its players do not meet again. */
    readonly seconds?: number | undefined
    /** Players whom the rule keeps apart; `opponents` by default. */
    readonly scope?: 'opponents' | 'anyone' | undefined
    /** Steps by which the rule relaxes while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }

/** Matchmaking rules and team sizes. */
export interface Matchmaking {
  /** Number of teams; 2 by default. */
  readonly teams?: number | undefined
  /** Number of players in each team; 1 by default. */
  readonly players_per_team?: number | undefined
  /** Minimum number of players in a team after a party has waited for `partial_after`; `players_per_team` by default. */
  readonly min_players_per_team?: number | undefined
  /** Minimum number of teams after a party has waited for `partial_after`; `teams` by default. */
  readonly min_teams?: number | undefined
  /** Maximum difference in players between the largest and the smallest team of a match that is not full; 0 requires equal teams. Null or absent: no maximum. */
  readonly max_size_difference?: number | null | undefined
  /** Roles of each team, with the number of players of each role. */
  readonly team_composition?: { readonly [name: string]: { readonly [name: string]: number } } | undefined
  /** Whether only players with the same `game_version` in their states are matched; `false` by default. */
  readonly use_version_from_state?: boolean | undefined
  /** Game versions that may search. */
  readonly allowed_versions?: readonly string[] | undefined
  /** Seconds after which a search ends; the smaller of this value and the queue's applies. */
  readonly timeout?: number | undefined
  /** Ready check before a match is made; without it players are not asked. */
  readonly ready_check?: ReadyCheck | undefined
  /** Maximum number of players in one lobby that searches; by default the size of the largest team. */
  readonly max_party_size?: number | undefined
  /** Seconds that a party must have waited before a match may have fewer players or teams; 5 by default. */
  readonly partial_after?: number | undefined
  /** Party whose waiting time relaxes the rules of a match: the one that waits longest (`oldest`, the default) or the last one (`newest`). */
  readonly expansion_age?: 'oldest' | 'newest' | undefined
  /** Rules that the players of a match must pass. */
  readonly rules?: readonly MatchRule[] | undefined
  /** Whether an open seat of a running match can be kept for a player, who then joins without a search. */
  readonly late_join?: boolean | undefined
  /** Filling of open seats in running matches. */
  readonly backfill?: BackfillSettings | undefined
}

/** A person with rights in a project. */
export interface Member {
  /** Account of the person. */
  readonly account_id: string
  /** Display name. */
  readonly name: string
  /** E-mail address. */
  readonly email: string
  /** Role in the project. */
  readonly role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner'
  /** Whether the account owns the project and pays for it. */
  readonly owns_project: boolean
  /** Time at which the account joined, or created the project. */
  readonly joined_at: string
}

/** The rights of a member in a project. */
export interface Membership {
  /** Project. */
  readonly project_id: string
  /** Account of the member. */
  readonly account_id: string
  /** Role in the project. */
  readonly role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner'
  /** Time at which the account joined. */
  readonly joined_at: string
}

/** A key, with its value. */
export interface MintedApiKey {
  /** Id. */
  readonly key_id: string
  /** Project of the resource. */
  readonly project_id: string
  /** `client`: for games, visible to everybody. `server`: for backends. */
  readonly type: 'client' | 'server'
  /** Display name. */
  readonly name: string
  /** Last characters of the key's value. */
  readonly last4: string
  /** Time of creation. */
  readonly created_at: string
  /** Time of revocation; null while the key is valid. */
  readonly revoked_at: string | null
  /** Time from which the key is refused; null for a key without an expiry. */
  readonly expires_at: string | null
  /** Account of the person who created the server key; null for a client key, and for the first keys of a project. */
  readonly minted_by: string | null
  /** Role of the server key; null for a server key with all rights. */
  readonly role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner' | null
  /** Value of the key, shown only once and not in a replayed answer. */
  readonly key?: string
}

/** A machine, with the new token of its agent. */
export interface MintedMachineToken {
  /** Id; servers have it as `node_id`. */
  readonly machine_id: string
  /** Display name. */
  readonly name: string
  /** Kind; an `agent` connects with a token, and several nodes share a `cluster`. */
  readonly kind: 'node' | 'agent' | 'cluster'
  /** Regions whose servers run on the machine, in order of preference; empty until an agent has connected. */
  readonly regions: readonly Region[]
  /** Status; only a `ready` machine gets new servers, and a `drained` one has none. */
  readonly status: 'ready' | 'cordoned' | 'draining' | 'drained' | 'lost'
  /** Cause of `cordoned`, when launches failed and the machine pauses by itself; else null. */
  readonly status_reason: string | null
  /** Time at which the remaining servers are stopped; null without a deadline. */
  readonly drain_by: string | null
  /** Number of servers. */
  readonly servers: number
  /** Limits for all servers together. */
  readonly capacity: {
    /** Maximum number of servers; absent without a limit. */
    readonly servers?: number
    /** Maximum number of processors for all servers together; absent without a limit. */
    readonly cpus?: number
    /** Maximum megabytes of memory for all servers together; absent without a limit. */
    readonly memory_mb?: number
  }
  /** Capacity that the servers use. */
  readonly used: {
    /** Number of servers. */
    readonly servers: number
    /** Processors of these servers. */
    readonly cpus: number
    /** Megabytes of memory of these servers. */
    readonly memory_mb: number
  }
  /** Load of the machine, as it last reported it; null when it was not measured. */
  readonly load: {
    /** Load average of the last minute, in percent of all processors; above 100 when programs wait for a processor. */
    readonly cpu_percent: number
    /** Memory in use by all programs, in megabytes. */
    readonly memory_mb: number
  } | null
  /** Version of the service on the machine; null for a cluster. */
  readonly version: string | null
  /** Address at which players reach the servers; null when it is not configured. */
  readonly host: string | null
  /** URL at which other nodes request the logs of its servers; null without one, and for a cluster. */
  readonly peer_url: string | null
  /** Time of the last report; null when there is none. */
  readonly last_seen_at: string | null
  /** Whether its agent can connect with a token; false for other kinds of machines. */
  readonly has_token: boolean
  /** Time of the first report, or of the first token. */
  readonly created_at: string
  /** Token of the agent, shown only once and not in a replayed answer. */
  readonly token?: string
}

/** A valid session of an account. */
export interface OpenSession {
  /** Id. */
  readonly session_id: string
  /** Time at which the session was opened or refreshed. */
  readonly created_at: string
  /** Time at which the session expires. */
  readonly expires_at: string
  /** Network address, or IPv6 network, from which the session was opened or refreshed; null when it is not known. */
  readonly address: string | null
  /** Whether this session makes the call. */
  readonly current: boolean
}

/** A ban, as the banned player sees it. */
export interface OwnBan {
  /** Reason of the ban. */
  readonly reason: string | null
  /** End of the ban; null for a ban without an end. */
  readonly until: string | null
  /** Queues that the player may not enter; null for the whole project. */
  readonly queues: readonly string[] | null
  /** Time at which the ban began. */
  readonly created_at: string
}

/** The calling player's live match, searches, lobbies, matches, exits and bans. */
export interface OwnPlayer {
  /** The player. */
  readonly player_id: string
  /** Match that keeps the player out of other matches; null without one. */
  readonly live_match: LiveMatch | null
  /** Lobbies of the player that search for a match, the longest search first. */
  readonly searches: readonly PlayerSearch[]
  /** Queues that the player may not enter yet; the first 100 queues are examined. */
  readonly cooldowns: readonly PlayerCooldown[]
  /** Lobbies of the player, the newest first. */
  readonly lobbies: readonly Lobby[]
  /** Last matches of the player, the newest first; at most 20. */
  readonly matches: readonly Match[]
  /** Last exits of the player's lobbies, the newest first; at most 20. */
  readonly last_exits: readonly PlayerExit[]
  /** Standings of the player in the present seasons, by rating id. */
  readonly ratings: readonly Standing[]
  /** Whether lobbies or matches are missing, because there are too many. */
  readonly has_more: boolean
  /** Bans of the player that are in force; at most one. */
  readonly bans: readonly OwnBan[]
}

/** Limits and payment of an account. */
export interface PlanStatus {
  /** Current plan. */
  readonly plan: 'free' | 'payg' | 'pro'
  /** Present on accounts that the operator created, which pay nothing; absent on all others. */
  readonly tariff?: 'self_hosted'
  /** Limits of the account over all its projects. */
  readonly limits: {
    /** Maximum number of servers at a time; -1 is unlimited. */
    readonly max_concurrent_servers: number
    /** Largest server size. */
    readonly max_tier: string
    /** Maximum lifetime of a server in seconds; -1 is unlimited. */
    readonly max_server_ttl: number
    /** Regions in which servers may run. */
    readonly regions: readonly ('ams' | 'arn' | 'bom' | 'cdg' | 'dfw' | 'ewr' | 'fra' | 'iad' | 'lax' | 'lhr' | 'nrt' | 'ord' | 'sin' | 'sjc' | 'syd' | 'yyz')[]
    /** Maximum number of builds that are neither failed nor deleted; -1 is unlimited. */
    readonly max_builds: number
    /** Whether the account may have queues. */
    readonly queues_enabled: boolean
    /** Whether the account may have lobbies. */
    readonly lobbies_enabled: boolean
    /** Whether lobbies may search. */
    readonly matchmaking_enabled: boolean
    /** Whether the plan needs a card on file. */
    readonly payment_method_required: boolean
  }
  /** Start of the month, in UTC. */
  readonly current_period_start: string
  /** End of the month; a pending plan begins then. */
  readonly current_period_end: string
  /** Plan after this period; null when it stays. */
  readonly pending_plan: 'free' | 'payg' | 'pro' | null
  /** Card on file; null without one. */
  readonly payment_method: {
    /** Brand of the card. */
    readonly type: 'card'
    /** Name of the card's holder. */
    readonly brand: string
    /** Last digits of the card's number. */
    readonly last4: string
    /** Month of expiry, 1 to 12. */
    readonly exp_month: number
    /** Year of expiry. */
    readonly exp_year: number
  } | null
}

/** A player in a lobby. */
export interface Player {
  /** Id of the player. */
  readonly player_id: string
  /** Whether the player is the host. */
  readonly is_host: boolean
  /** Time at which the player joined. */
  readonly joined_at: string
  /** State of the player: the fields that rules compare, and other data of the game. Free-form, at most 16 kB and 16 levels deep. */
  readonly state: JsonObject
}

/** How the players of a project prove their identity. */
export interface PlayerAuth {
  /** `trusted`: the game names the player. `signed`: a token of an issuer names the player. */
  readonly mode: 'trusted' | 'signed'
  /** Issuers whose tokens are accepted. */
  readonly issuers: readonly PlayerIssuer[]
}

/** A queue that the player may not enter yet. */
export interface PlayerCooldown {
  /** The queue. */
  readonly queue_id: string
  /** Time from which the player may enter the queue again. */
  readonly until: string
}

/** How a search or a match of a player's lobby ended: the lobby returned to `waiting`, or the player left a match that the lobby continued. */
export interface PlayerExit {
  /** Reason of the exit. */
  readonly reason: 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable' | 'launch_failed' | 'no_room' | 'build_missing' | 'match_ended' | 'server_stopped' | 'server_failed' | 'server_expired' | 'backend_ended' | 'matched_elsewhere' | 'banned' | 'match_expired'
  /** Explanation for a developer. */
  readonly detail: string
  /** Time of the exit. */
  readonly at: string
  /** The lobby. */
  readonly lobby_id: string
  /** Queue of the lobby. */
  readonly queue_id: string
}

/** An issuer of player tokens. */
export interface PlayerIssuer {
  /** Name of the issuer, exactly as in `iss` of its tokens. */
  readonly issuer: string
  /** Audience that `aud` of its tokens must contain; without it any audience is accepted. */
  readonly audience?: string
  /** Accepted signature algorithms. */
  readonly algorithms: readonly ('HS256' | 'RS256' | 'ES256' | 'EdDSA')[]
  /** Address of its public keys, if one was sent. */
  readonly jwks_url?: string
  /** Its public keys, if they were sent. */
  readonly jwks?: JsonObject
  /** Claim that names the player; `sub` by default. */
  readonly player_claim: string
  /** Claim with the values of `trusted_fields`; `state` by default. */
  readonly state_claim: string
  /** Secret for HS256: base64url of 32 bytes, shown only once. */
  readonly secret?: string
}

/** An issuer of player tokens. Set one of `jwks_url`, `jwks` and `generate_secret`, or none of them to keep its generated secret. */
export interface PlayerIssuerSettings {
  /** Name of the issuer, exactly as in `iss` of its tokens. */
  readonly issuer: string
  /** Audience that `aud` of its tokens must contain; without it any audience is accepted. */
  readonly audience?: string | undefined
  /** Accepted signature algorithms; by default the algorithms of the issuer's keys. */
  readonly algorithms?: readonly ('HS256' | 'RS256' | 'ES256' | 'EdDSA')[] | undefined
  /** https address of its JSON Web Key Set. */
  readonly jwks_url?: string | undefined
  /** Its public keys as a JSON Web Key Set, in place of `jwks_url`. Free-form, at most 16 kB and 16 levels deep. */
  readonly jwks?: JsonObject | undefined
  /** Whether the service generates a secret, which the answer shows only once. */
  readonly generate_secret?: true | undefined
  /** Claim that names the player; `sub` by default. */
  readonly player_claim?: string | undefined
  /** Claim with the values of `trusted_fields`; `state` by default. */
  readonly state_claim?: string | undefined
}

/** A lobby of the player that searches for a match. */
export interface PlayerSearch {
  /** Lobby that searches. */
  readonly lobby_id: string
  /** Queue of the lobby. */
  readonly queue_id: string
  /** Time at which the lobby entered the queue. */
  readonly entered_at: string
  /** Cause that holds the search, as in `GET /v1/lobbies/{lobby_id}/queue`; else null. */
  readonly held_by: 'proposal' | 'elsewhere' | 'absent' | 'plan_limit' | null
}

/** A port of a game server. */
export interface PortMapping {
  /** Name of the port in the queue. */
  readonly name: string
  /** Protocol of the port. */
  readonly protocol: 'udp' | 'tcp' | 'tcp+udp'
  /** Port on which the server listens. */
  readonly internal_port: number
  /** Port that players connect to. */
  readonly external_port: number
  /** Host name or address that players connect to. */
  readonly host: string
  /** Whether the port uses TLS. */
  readonly tls_enabled: boolean
}

/** A port that a game server requests. */
export interface PortRequest {
  /** Name of the port; the program gets its number as `PORT_<NAME>`. */
  readonly name: string
  /** Protocol of the port; `udp` by default. */
  readonly protocol?: 'udp' | 'tcp' | 'tcp+udp' | undefined
  /** Port on which the server listens, if it has its own network. */
  readonly internal_port: number
  /** Whether the port uses TLS; only for tcp. */
  readonly tls_enabled?: boolean | undefined
}

/** RFC 9457; `code` and `number` are the stable identity of an error. */
export interface Problem {
  /** Path of the code's page: `/errors/NOT_HOST`. */
  readonly type: string
  /** Meaning of the code; always the same sentence. */
  readonly title: string
  /** HTTP status of the answer. */
  readonly status: number
  /** Error code, for programs. */
  readonly code: 'INVALID_API_KEY' | 'MISSING_CREDENTIALS' | 'INVALID_SESSION_TOKEN' | 'SESSION_EXPIRED' | 'CREDENTIAL_NOT_ALLOWED' | 'PLAYER_ID_REQUIRED' | 'INVALID_PLAYER_ID' | 'INVALID_LOGIN' | 'EMAIL_TAKEN' | 'PLAYER_TOKEN_REQUIRED' | 'INVALID_PLAYER_TOKEN' | 'REGISTRATION_CLOSED' | 'INVALID_MACHINE_TOKEN' | 'SESSION_NOT_FOUND' | 'SECOND_FACTOR_REQUIRED' | 'SECOND_FACTOR_STATE' | 'SECOND_FACTOR_REFUSED' | 'SERVER_NOT_FOUND' | 'INVALID_SERVER_STATE' | 'SERVER_LAUNCH_FAILED' | 'MACHINE_NOT_FOUND' | 'BUILD_NOT_FOUND' | 'BUILD_NOT_READY' | 'BUILD_IN_USE' | 'UPLOAD_REJECTED' | 'LOBBY_NOT_FOUND' | 'LOBBY_FULL' | 'PLAYER_NOT_IN_LOBBY' | 'NOT_HOST' | 'INVALID_INVITE_CODE' | 'PLAYER_STATE_FORBIDDEN' | 'INVALID_LOBBY_STATE' | 'LOBBY_NOT_ACCEPTING' | 'INVITE_CODES_EXHAUSTED' | 'PLAYER_BANNED' | 'BAN_NOT_FOUND' | 'BAN_LIMIT' | 'QUEUE_NOT_FOUND' | 'QUEUE_DISABLED' | 'QUEUE_EXISTS' | 'QUEUE_IN_USE' | 'QUEUE_VERSION_NOT_FOUND' | 'RATING_NOT_FOUND' | 'RATING_IN_USE' | 'MATCHMAKING_NOT_CONFIGURED' | 'PARTY_TOO_LARGE' | 'PARTY_CANNOT_MATCH' | 'MATCH_NOT_FOUND' | 'INVALID_MATCH_STATE' | 'NO_PROPOSAL' | 'PROPOSAL_CHANGED' | 'PLAYER_COOLING_DOWN' | 'PLAYER_IN_MATCH' | 'MATCH_FULL' | 'SEAT_NOT_FOUND' | 'RESULT_EXISTS' | 'TOO_MANY_SEARCHES' | 'BACKFILL_NOT_FOUND' | 'PLAN_LIMIT_EXCEEDED' | 'PAYMENT_METHOD_REQUIRED' | 'INVALID_PLAN_CHANGE' | 'PROJECT_NOT_FOUND' | 'PROJECT_HAS_RUNNING_SERVERS' | 'ROLE_NOT_ALLOWED' | 'MEMBER_NOT_FOUND' | 'INVITATION_NOT_FOUND' | 'PROBLEM_NOT_FOUND' | 'VALIDATION_FAILED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'RATE_LIMITED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'UNAVAILABLE' | 'CONFLICT' | 'INTERNAL' | 'IDEMPOTENCY_MISMATCH' | 'KEY_NOT_FOUND' | 'KEY_REVOKED' | 'WEBHOOK_NOT_FOUND' | 'WEBHOOK_ADDRESS_REFUSED' | 'WEBHOOK_LIMIT' | 'SECRET_NOT_FOUND' | 'SECRET_LIMIT'
  /** Stable number of the code. */
  readonly number: number
  /** Explanation for a developer; its wording may change. */
  readonly detail: string
  /** Id of the request in the log of the service; also the header `x-request-id`. */
  readonly request_id: string
  /** Data that a client needs to act, depending on the code; often empty. */
  readonly details: JsonObject
}

/** A game: its queues, builds, servers and keys. */
export interface Project {
  /** Id. */
  readonly project_id: string
  /** Account that owns the project. */
  readonly account_id: string
  /** Display name. */
  readonly name: string
  /** Name of the project in addresses (slug). */
  readonly slug: string
  /** Role of the session's account in the project; `owner` for the account that owns the project. */
  readonly role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner'
  /** Time of creation. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

/** The people of a project. */
export interface ProjectMembers {
  /** The account that owns the project, then its members. */
  readonly members: readonly Member[]
  /** Invitations that can still be used. */
  readonly invitations: readonly Invitation[]
}

/** A problem of a project, with its solution. */
export interface ProjectProblem {
  /** Id, by which the problem is acknowledged and muted. Problems with equal code, subject and build share it. */
  readonly id: string
  /** Code of the problem, for programs. */
  readonly code: 'launches_failed' | 'servers_crashed' | 'build_not_ready' | 'plan_limit_reached' | 'budget_passed' | 'webhook_disabled' | 'node_silent' | 'machine_paused' | 'players_wait' | 'waiting_for_room' | 'webhook_failing' | 'build_failed' | 'budget_near' | 'plan_limit_near'
  /** Severity. */
  readonly severity: 'error' | 'warning'
  /** Description of the problem. */
  readonly sentence: string
  /** Affected resource. */
  readonly subject: {
    /** Kind of the affected resource. */
    readonly kind: 'queue' | 'server' | 'build' | 'webhook' | 'node' | 'account' | 'project'
    /** Id of the affected resource. */
    readonly id: string
  }
  /** Time at which the service opened the problem; null for a problem that it has not kept yet, for at most a minute. */
  readonly opened_at: string | null
  /** Acknowledgement; null without one. */
  readonly acknowledged: {
    /** Author of the note. */
    readonly by: {
      /** Kind of the credential. */
      readonly kind: 'key' | 'session' | 'embedded'
      /** Id of the key or the account; null without one. */
      readonly id: string | null
      /** Name of the key; null without one. */
      readonly name: string | null
    }
    /** Time of the note. */
    readonly at: string
    /** The note; null without one. */
    readonly note: string | null
  } | null
  /** Mute that is in force; null without one. */
  readonly muted: {
    /** Author of the mute. */
    readonly by: {
      /** Kind of the credential. */
      readonly kind: 'key' | 'session' | 'embedded'
      /** Id of the key or the account; null without one. */
      readonly id: string | null
      /** Name of the key; null without one. */
      readonly name: string | null
    }
    /** End of the mute. */
    readonly until: string
    /** The reason; null without one. */
    readonly reason: string | null
  } | null
  /** Time since which the problem exists. */
  readonly since: string
  /** Number of occurrences. */
  readonly count: number
  /** Data for programs. */
  readonly details: {
    /** Examples of the cause. */
    readonly cause?: string
    /** The name of the build. */
    readonly version_tag?: string
    /** Id of the build that ran. */
    readonly build_id?: string
    /** Version of the build that ran. */
    readonly build_version?: number
    /** Affected servers. */
    readonly instance_ids?: readonly string[]
    /** Share of crashes of the build, when at least half of its last servers crashed. */
    readonly wave?: {
      /** Number of servers that crashed. */
      readonly crashed: number
      /** Number of servers among which they are counted: those of the build that ended last, at most 50. */
      readonly ended: number
      /** Whether each of these servers had a match. */
      readonly is_of_matches: boolean
      /** Time of the first of these crashes. */
      readonly first_at: string
      /** Trend of the share of crashes, from the older half of these servers to the newer half. */
      readonly trend: 'rising' | 'steady' | 'falling'
    }
    /** Rule that refuses the most parties. */
    readonly rule?: {
      /** Type of the rule. */
      readonly type: string
      /** Field in the players' states; null for a rule that reads none. */
      readonly field: string | null
      /** Share of parties that the rule refuses, from 0 to 1. */
      readonly rejected_share: number
    }
    /** Region that no machine serves. */
    readonly region?: Region
    /** The address. */
    readonly url?: string
    /** Limit of the plan. */
    readonly limit?: string
    /** Value that the plan allows. */
    readonly allowed?: number
    /** Value that is used. */
    readonly used?: number
    /** Budget, cost and forecast of the month. */
    readonly budget?: {
      /** Budget of the month in US dollars. */
      readonly monthly_usd: number
      /** Cost of the month until now in US dollars. */
      readonly spent: number
      /** Cost of the whole month at the mean rate since yesterday (UTC), in US dollars. */
      readonly forecast: number
    }
  }
}

/** A proposed match that its players must accept. */
export interface Proposal {
  /** Id of the proposed match. */
  readonly match_id: string
  /** Deadline; lobbies of players who have not answered by then return to `waiting`. */
  readonly expires_at: string
  /** Number of players in the match. */
  readonly needed: number
  /** Number of players who have accepted. */
  readonly accepted: number
  /** Players of this lobby with their answers. */
  readonly players: readonly ({
    /** The player. */
    readonly player_id: string
    /** Answer of the player; `none` before it. */
    readonly answer: 'none' | 'accepted' | 'declined'
  })[]
}

/** A queue: its lobbies, matchmaking rules and game servers. */
export interface Queue {
  /** Id: 1 to 64 characters of a-z, 0-9 and _. */
  readonly queue_id: string
  /** Display name. */
  readonly name: string
  /** Whether lobbies can be created in the queue and matched. */
  readonly enabled: boolean
  /** Maximum number of players in a lobby. */
  readonly max_players: number
  /** Seconds after which a search ends and the lobby returns to `waiting`. */
  readonly timeout: number
  /** Whether silent players are removed from their lobbies. */
  readonly heartbeat: boolean
  /** Seconds of silence after which a player is removed; only with `heartbeat`. */
  readonly heartbeat_timeout: number
  /** Effect of the host's departure on a lobby: the next player becomes host, or the lobby is deleted. */
  readonly host_leave_behavior: 'promote' | 'delete'
  /** Seconds without activity after which a lobby is deleted. */
  readonly lobby_ttl: number
  /** Seconds after which a match without a server of the service ends by itself; null: never. */
  readonly match_ttl: number | null
  /** Whether a player may be in several live matches at the same time. Without it, a player who is in a live match cannot enter another one. */
  readonly concurrent_matches: boolean
  /** Seconds after which a searching lobby counts as absent if none of its players was heard; it is then not matched until one is. 0: never. */
  readonly presence_timeout: number
  /** As `heartbeat_timeout`, for lobbies in a match; 0: silent players are not removed there; null: as `heartbeat_timeout`. */
  readonly in_game_heartbeat_timeout: number | null
  /** Seconds for which a player who leaves a running match cannot enter the queue; 0: no penalty. */
  readonly leaver_penalty: number
  /** Whether a party whose match failed to launch is put back into the queue, with the age it had. */
  readonly requeue_on_failure: boolean
  /** Invite codes of the queue's lobbies. */
  readonly invite_code_config: {
    /** Whether lobbies have an invite code. */
    readonly enabled: boolean
    /** Number of random characters after the prefix. */
    readonly length: number
    /** Characters of the random part: `alphanumeric` is upper-case letters and digits; `alphanumeric` and `alphabetic` leave out look-alikes (0 O, 1 I L). */
    readonly charset: 'alphanumeric' | 'numeric' | 'alphabetic'
    /** Text before the random part. */
    readonly prefix: string
  }
  /** Settings of the matches' servers; without them matches have no server. */
  readonly server_settings?: ServerSettings
  /** Matchmaking rules and team sizes; without them lobbies can only be started directly. */
  readonly matchmaking?: Matchmaking
  /** Rating that the results of the queue's matches change, and that is written into the states of players who enter; null: none. */
  readonly rating: string | null
  /** Field of the state for the rating of a player; `<field>_uncertainty` gets its uncertainty. Clients may write neither. */
  readonly rating_field: string
  /** Whether direct starts count for the rating too. */
  readonly rated_starts: boolean
  /** Fields of player states that clients may not write; they come from a player token or from your backend. */
  readonly trusted_fields?: readonly string[]
  /** Warnings about settings that are valid but probably not intended. */
  readonly warnings?: readonly string[]
  /** Time of creation. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

/** Why a lobby still waits. */
export interface QueueExplanation {
  /** The lobby. */
  readonly lobby_id: string
  /** Seconds since the search began. */
  readonly waited_seconds: number
  /** Numbers of other waiting parties that pass and fail each rule of the queue. */
  readonly rules: readonly ({
    /** Type of the rule. */
    readonly type: string
    /** Field in the players' states; null for a rule that reads none. */
    readonly field: string | null
    /** Number of parties that pass the rule. */
    readonly passing: number
    /** Number of parties that fail the rule. */
    readonly failing: number
  })[]
  /** Number of parties that pass every rule. */
  readonly fitting_all: number
  /** How many of the other waiting parties were looked at. Up to 256 of them all are; of more, or of very large ones, some that were chosen by chance, and the counts are scaled up to all: a share is then right within 7 points, 19 times of 20. The others are as they were within the last second. */
  readonly sampled: number
  /** Seats without a matching player. */
  readonly missing: readonly ({
    /** The team. */
    readonly team: string
    /** Role in the team; null when the queue has no roles. */
    readonly role: string | null
    /** Number of missing players. */
    readonly players: number
  })[]
  /** Allowed difference in team sizes, if only this setting prevents a short match of the lobby with its matching parties; else null. */
  readonly max_size_difference: number | null
  /** Seconds until a rule relaxes next; null when none will. */
  readonly next_relaxation_seconds: number | null
  /** Median wait of parties of this size in the last hour, in seconds, accurate to 10 %. */
  readonly estimated_wait_seconds: number | null
  /** Cause that holds the lobby independently of other parties: `proposal` (its players are being asked), `elsewhere` (a player is in a match of another search), `absent` (none of its players was heard for the presence timeout) or `plan_limit` (the account runs as many servers as its plan allows). Else null. */
  readonly held_by: 'proposal' | 'elsewhere' | 'absent' | 'plan_limit' | null
  /** Clauses about regions of the lobby's players in which no machine runs servers, for example `no machine serves ams`; empty without such regions. */
  readonly warnings: readonly string[]
}

/** A change of a queue. */
export interface QueueHistoryEntry {
  /** Version of the settings, which grows with each change; the input of `restore`. */
  readonly version: number
  /** Time of the change. */
  readonly at: string
  /** Author of the change; null for the state before the history began. */
  readonly by: {
    /** Kind of the credential. */
    readonly kind: 'key' | 'session' | 'embedded'
    /** Id of the key or the account; null without one. */
    readonly id: string | null
    /** Name of the key; null without one. */
    readonly name: string | null
  } | null
  /** Changed settings. */
  readonly changes: readonly ({
    /** Name of the setting. */
    readonly path: string
    /** Value before the change. */
    readonly before?: unknown
    /** Value after the change. */
    readonly after?: unknown
  })[]
  /** All settings after the change. */
  readonly settings: QueueSettings
}

/** The settings of a queue. */
export interface QueueSettings {
  /** Display name. */
  readonly name: string
  /** Whether lobbies can be created in the queue and matched. */
  readonly enabled: boolean
  /** Maximum number of players in a lobby. */
  readonly max_players: number
  /** Seconds after which a search ends and the lobby returns to `waiting`. */
  readonly timeout: number
  /** Whether silent players are removed from their lobbies. */
  readonly heartbeat: boolean
  /** Seconds of silence after which a player is removed; only with `heartbeat`. */
  readonly heartbeat_timeout: number
  /** Effect of the host's departure on a lobby: the next player becomes host, or the lobby is deleted. */
  readonly host_leave_behavior: 'promote' | 'delete'
  /** Seconds without activity after which a lobby is deleted. */
  readonly lobby_ttl: number
  /** Seconds after which a match without a server of the service ends by itself; null: never. */
  readonly match_ttl: number | null
  /** Whether a player may be in several live matches at the same time. Without it, a player who is in a live match cannot enter another one. */
  readonly concurrent_matches: boolean
  /** Seconds after which a searching lobby counts as absent if none of its players was heard; it is then not matched until one is. 0: never. */
  readonly presence_timeout: number
  /** As `heartbeat_timeout`, for lobbies in a match; 0: silent players are not removed there; null: as `heartbeat_timeout`. */
  readonly in_game_heartbeat_timeout: number | null
  /** Seconds for which a player who leaves a running match cannot enter the queue; 0: no penalty. */
  readonly leaver_penalty: number
  /** Whether a party whose match failed to launch is put back into the queue, with the age it had. */
  readonly requeue_on_failure: boolean
  /** Invite codes of the queue's lobbies. */
  readonly invite_code_config: {
    /** Whether lobbies have an invite code. */
    readonly enabled: boolean
    /** Number of random characters after the prefix. */
    readonly length: number
    /** Characters of the random part: `alphanumeric` is upper-case letters and digits; `alphanumeric` and `alphabetic` leave out look-alikes (0 O, 1 I L). */
    readonly charset: 'alphanumeric' | 'numeric' | 'alphabetic'
    /** Text before the random part. */
    readonly prefix: string
  }
  /** Settings of the matches' servers; without them matches have no server. */
  readonly server_settings?: ServerSettings
  /** Matchmaking rules and team sizes; without them lobbies can only be started directly. */
  readonly matchmaking?: Matchmaking
  /** Rating that the results of the queue's matches change, and that is written into the states of players who enter; null: none. */
  readonly rating: string | null
  /** Field of the state for the rating of a player; `<field>_uncertainty` gets its uncertainty. Clients may write neither. */
  readonly rating_field: string
  /** Whether direct starts count for the rating too. */
  readonly rated_starts: boolean
  /** Fields of player states that clients may not write; they come from a player token or from your backend. */
  readonly trusted_fields?: readonly string[]
}

/** Statistics of a queue. */
export interface QueueStats {
  /** Number of players who search. */
  readonly players_searching: number
  /** Number of lobbies that search. */
  readonly lobbies_searching: number
  /** Matches of the last 59 to 60 minutes, without direct starts. */
  readonly matches_last_hour: number
  /** Outcomes of proposed matches. */
  readonly proposals_last_hour: {
    /** Number of proposed matches. */
    readonly made: number
    /** Number that all players accepted. */
    readonly accepted: number
    /** Number that a player declined. */
    readonly declined: number
    /** Number that a player did not answer. */
    readonly expired: number
  }
  /** Returns of lobbies to `waiting` in the last hour, counted by reason. */
  readonly exits_last_hour: {
    /** Cancelled by a player. */
    readonly cancelled: number
    /** No match was found in time. */
    readonly timeout: number
    /** A player left. */
    readonly player_left: number
    /** A player declined a match. */
    readonly declined: number
    /** A player did not answer a proposal. */
    readonly not_answered: number
    /** The queue's settings no longer allow a match of the lobby. */
    readonly unmatchable: number
    /** The match's server did not start. */
    readonly launch_failed: number
    /** No capacity for a server. */
    readonly no_room: number
    /** The queue names a build that does not exist. */
    readonly build_missing: number
    /** The match ended. */
    readonly match_ended: number
    /** The match's server was stopped. */
    readonly server_stopped: number
    /** The match's server failed. */
    readonly server_failed: number
    /** The match's server reached its `ttl`. */
    readonly server_expired: number
    /** A backend ended the match. */
    readonly backend_ended: number
    /** A player is in another match. */
    readonly matched_elsewhere: number
    /** A player is banned. */
    readonly banned: number
    /** The match reached its `match_ttl`. */
    readonly match_expired: number
  }
  /** Wait of the lobbies that were matched in the last 55 to 60 minutes. Each figure differs from the exact wait by at most 10 %, or by at most one second if the wait is below one second; with few matches the figures are exact. They are at most one second old. */
  readonly wait_seconds: {
    /** Median in seconds; null without matches. */
    readonly p50: number | null
    /** p90 in seconds; null without matches. */
    readonly p90: number | null
    /** p99 in seconds; null without matches. */
    readonly p99: number | null
  }
  /** The same for the last 5 to 10 minutes. */
  readonly recent_wait_seconds: {
    /** Median in seconds; null without matches. */
    readonly p50: number | null
    /** p90 in seconds; null without matches. */
    readonly p90: number | null
    /** p99 in seconds; null without matches. */
    readonly p99: number | null
  }
  /** Expected wait in seconds of a party that enters now; null when it is unknown. */
  readonly estimated_wait_seconds: number | null
  /** Launches that wait for capacity. */
  readonly waiting_for_room: {
    /** Number of servers. */
    readonly servers: number
    /** Wait of the first one in seconds; null without one. */
    readonly oldest_seconds: number | null
  }
  /** Warm servers, started before their match (`server_settings.warm`). */
  readonly warm: {
    /** Number of servers that wait for a match, at most 15 seconds old. */
    readonly ready: number
    /** Number of live servers with a match that were warm before. */
    readonly allocated: number
  }
}

/** Settings by which results of matches change the skills of players. */
export interface Rating {
  /** Id of the rating. */
  readonly rating_id: string
  /** Display name. */
  readonly name: string
  /** Model that computes the ratings. */
  readonly model: 'plackettLuce' | 'bradleyTerryFull' | 'bradleyTerryPart' | 'thurstoneMostellerFull' | 'thurstoneMostellerPart'
  /** Parameters of the model. */
  readonly params: {
    /** Distance of skill that lets the better player win about four of five matches. */
    readonly beta: number
    /** Uncertainty that every match adds. */
    readonly tau: number
    /** Whether a match never raises the uncertainty of a player. */
    readonly limit_sigma: boolean
  }
  /** Skill of a player without matches. */
  readonly initial: {
    /** Estimate of the skill. */
    readonly mu: number
    /** Uncertainty of the estimate. */
    readonly sigma: number
  }
  /** How the displayed number follows from a skill. */
  readonly display: {
    /** Number that a new player has. */
    readonly base: number
    /** Points for one `sigma` of the initial skill. */
    readonly per_sigma: number
  }
  /** Matches after which a player is on the leaderboard. */
  readonly placement_matches: number
  /** Time of creation. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

/** How the displayed number follows from a skill. */
export interface RatingDisplaySettings {
  /** Number that a new player has. */
  readonly base?: number | undefined
  /** Points for one `sigma` of the initial skill. */
  readonly per_sigma?: number | undefined
}

/** Parameters of the model. */
export interface RatingParamsSettings {
  /** Distance of skill that lets the better player win about four of five matches. */
  readonly beta?: number | undefined
  /** Uncertainty that every match adds. */
  readonly tau?: number | undefined
  /** Whether a match never raises the uncertainty of a player. */
  readonly limit_sigma?: boolean | undefined
}

/** Readiness of the service. */
export interface Readiness {
  /** Status. */
  readonly status: 'ok'
  /** State of the clock; only with `verbose`, when the service follows a machine's clock. */
  readonly clock?: {
    /** Milliseconds by which the machine's clock is ahead of the service's clock; negative when it is behind. The service's clock never goes back. */
    readonly offset_ms: number
    /** Steps of the machine's clock by more than a second since the process began. */
    readonly steps: number
  }
  /** State of the build store; only with `verbose`. */
  readonly builds?: {
    /** Builds that this process was asked for in the last ten minutes without seeing their archive; it leaves them to other nodes. */
    readonly unseen: number
  }
}

/** Ready check before a match is made. */
export interface ReadyCheck {
  /** Seconds for an answer. */
  readonly timeout: number
  /** Seconds for which a player who declined or did not answer may not search; 0 by default. */
  readonly penalty?: number | undefined
}

/** A region code. */
export type Region = 'ams' | 'arn' | 'bom' | 'cdg' | 'dfw' | 'ewr' | 'fra' | 'iad' | 'lax' | 'lhr' | 'nrt' | 'ord' | 'sin' | 'sjc' | 'syd' | 'yyz'

/** A step that relaxes a rule after `after_seconds` in the queue. */
export interface RuleExpansion {
  /** Seconds in the queue after which the step applies. */
  readonly after_seconds: number
  /** Maximum difference of the values from then on. */
  readonly max_difference?: number | undefined
  /** Number of common values from then on. */
  readonly min_overlap?: number | undefined
  /** Maximum latency in milliseconds from then on. */
  readonly max_ms?: number | undefined
  /** Seconds from then on. */
  readonly seconds?: number | undefined
  /** Whether the rule is dropped from then on. */
  readonly off?: boolean | undefined
}

/** A season of a rating. */
export interface Season {
  /** Name of the season. */
  readonly name: string
  /** Share of the distance to the initial skill that players keep. */
  readonly keep: number
  /** Time at which the season began. */
  readonly started_at: string
}

/** The state of the second factor of an account. */
export interface SecondFactor {
  /** Whether logins by password need a code. */
  readonly active: boolean
  /** Time of the activation; null while no second factor is active. */
  readonly activated_at: string | null
  /** Number of unused recovery codes. */
  readonly recovery_codes_left: number
}

/** A secret of the project, without its value. */
export interface Secret {
  /** Name; `${secret:NAME}` in a variable stands for the value. */
  readonly name: string
  /** Time of creation. */
  readonly created_at: string
  /** Time at which the value was last set. */
  readonly updated_at: string
}

/** A region in which game servers can run now. */
export interface ServedRegion {
  /** Code of the region. */
  readonly region: Region
  /** Beacons of machines of the region, at most 8. */
  readonly beacons: readonly Beacon[]
}

/** A game server. */
export interface Server {
  /** Id. */
  readonly instance_id: string
  /** Project of the resource. */
  readonly project_id: string
  /** Display name. */
  readonly name: string
  /** Status; a `running` server takes players. */
  readonly status: 'launching' | 'running' | 'stopping' | 'stopped' | 'failed'
  /** Detail of the status; `waiting_for_room`: the launch waits for capacity. */
  readonly status_reason: 'waiting_for_room' | null
  /** Region in which the server runs. */
  readonly region: Region
  /** Region that was asked for; only when no machine serves it, and the server runs in another region. */
  readonly asked_region?: Region
  /** Size: cores and gigabytes. */
  readonly tier: Tier
  /** Name of the server's build. */
  readonly version_tag: string
  /** Id of the server's build; null before the launch, and for a server of your own. */
  readonly build_id: string | null
  /** Version of the build; null when the id is null. */
  readonly build_version: number | null
  /** Ports of the server. */
  readonly network_ports: readonly PortMapping[]
  /** Arguments of the program. */
  readonly startup_args: string
  /** Environment variables of the program, at most 64 and 8 kB. The service's own names are refused: HOME, LANG, PATH, SVC_CONFIG_FILE, TRACEPARENT, PORT_* and MATCHYARD_*. */
  readonly environment?: { readonly [name: string]: string }
  /** Condition for `running`: its ports (each TCP port accepts, each UDP port is bound; the default), only its own call, or one second of running. Its own call always suffices. */
  readonly readiness?: 'port' | 'self' | 'uptime'
  /** Maximum lifetime in seconds; null without a maximum. */
  readonly ttl: number | null
  /** Seconds from SIGTERM until the program is killed, at each stop; 10 by default. */
  readonly stop_grace_seconds?: number
  /** Whether the server is restarted when its program ends by itself. */
  readonly auto_restart: boolean
  /** Custom data for the program, in its configuration file. Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data: JsonObject
  /** Match of the server; null without one. */
  readonly match_id: string | null
  /** Node of the service on which the server runs or ran last; null before its first launch. */
  readonly node_id: string | null
  /** Exit code of the program; null while it runs, and when it was stopped. */
  readonly exit_code: number | null
  /** Cause of the end, from the decision to stop the server on; null before, and for a server that ended in an earlier release. `match_ended`: its match ended, or its program exited with code 0. `server_failed`: its program crashed, or its machine was lost. `launch_failed`: it never ran. */
  readonly end_reason: 'launch_failed' | 'build_missing' | 'no_room' | 'match_ended' | 'server_stopped' | 'server_failed' | 'server_expired' | null
  /** Reason of the end, as a sentence; null before. */
  readonly stop_reason: string | null
  /** Last crash of the program, also of one that a restart followed; null without a crash. */
  readonly last_crash: ServerCrash | null
  /** Number of restarts. */
  readonly restarts: number
  /** Time of creation. */
  readonly created_at: string
  /** Time since which the server takes players; null before. */
  readonly running_at: string | null
  /** Time of the end; null before. */
  readonly stopped_at: string | null
  /** Time at which the server will be stopped; null without a `ttl`. */
  readonly expires_at: string | null
  /** Time of the last change. */
  readonly updated_at: string
}

/** Crash of a game server. */
export interface ServerCrash {
  /** Time of the crash. */
  readonly at: string
  /** Exit code of the process; null when a signal ended it, or when it is unknown. */
  readonly exit_code: number | null
  /** Signal that ended the process, such as `SIGSEGV`; else null. */
  readonly exit_signal: string | null
  /** Last lines of the output, the oldest first: at most 20 lines and 8 KiB. */
  readonly lines: readonly ({
    /** Time of the entry. */
    readonly timestamp: string
    /** Output stream of the line. */
    readonly stream: 'stdout' | 'stderr'
    /** The line. */
    readonly message: string
  })[]
}

/** Output of a game server. */
export interface ServerLogs {
  /** The server. */
  readonly instance_id: string
  /** Lines in order, the oldest first. */
  readonly logs: readonly ({
    /** Time of the entry. */
    readonly timestamp: string
    /** Output stream of the line. */
    readonly stream: 'stdout' | 'stderr'
    /** The line. */
    readonly message: string
  })[]
  /** Whether older lines were left out to bound the answer. */
  readonly has_more: boolean
}

/** Settings of game servers. */
export interface ServerSettings {
  /** Source of a match's server: launched from `version_tag` (the default), or a server of your own, which your backend assigns by POST /v1/matches/{match_id}/server. */
  readonly source?: 'build' | 'external' | undefined
  /** Name of the build. Its newest `ready` version that is not disabled runs, or the one of `version`. Without a name no server is launched. */
  readonly version_tag?: string | undefined
  /** Version of that build to run, for example to return to a good one. Null or absent: the newest that is `ready` and not disabled. It does not apply to other builds that `use_version_from_state` names. */
  readonly version?: number | null | undefined
  /** Default region. */
  readonly region?: Region | undefined
  /** Size: cores and gigabytes; the smallest by default. */
  readonly tier?: Tier | undefined
  /** Ports that the program requests, at most 16. */
  readonly network_ports?: readonly PortRequest[] | undefined
  /** Arguments of the program, split by the quoting rules of a shell, without a shell. Then ${PORT_<NAME>}, ${INSTANCE_ID}, ${MATCH_ID}, ${REGION} and ${SVC_CONFIG_FILE} are replaced; $${ is the text ${. */
  readonly startup_args?: string | undefined
  /** Environment variables of the program, at most 64 and 8 kB. The service's own names are refused: HOME, LANG, PATH, SVC_CONFIG_FILE, TRACEPARENT, PORT_* and MATCHYARD_*. */
  readonly environment?: { readonly [name: string]: string } | undefined
  /** Condition for `running`: its ports (each TCP port accepts, each UDP port is bound; the default), only its own call, or one second of running. Its own call always suffices. */
  readonly readiness?: 'port' | 'self' | 'uptime' | undefined
  /** Maximum lifetime of a server in seconds; by default the plan's maximum. */
  readonly ttl?: number | undefined
  /** Seconds from SIGTERM until the program is killed, at each stop; 10 by default. */
  readonly stop_grace_seconds?: number | undefined
  /** Whether the server is restarted when its program ends by itself. */
  readonly auto_restart?: boolean | undefined
  /** Custom data for the program, in its configuration file; `{}` by default. Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data?: JsonObject | undefined
  /** Warm servers, started before their match; without them each server starts when its match is made. */
  readonly warm?: WarmSettings | undefined
}

/** A game server, with the fields that players need. */
export interface ServerSummary {
  /** The server's id. */
  readonly instance_id: string
  /** Region of the server. */
  readonly region: Region
  /** Status; a `running` server takes players. */
  readonly status: 'launching' | 'running' | 'stopping' | 'stopped' | 'failed'
  /** Match that runs on the server. */
  readonly match_id: string
  /** Ports of the server. */
  readonly network_ports: readonly PortMapping[]
}

/** Standing of a player in a rating. */
export interface Standing {
  /** The player. */
  readonly player_id: string
  /** The rating. */
  readonly rating_id: string
  /** Season of the standing; null before the first one. */
  readonly season: string | null
  /** Estimate of the skill. */
  readonly mu: number
  /** Uncertainty of the estimate. */
  readonly sigma: number
  /** Displayed number. */
  readonly value: number
  /** Counted matches of the season. */
  readonly matches: number
  /** Whether the player has played enough matches for the leaderboard. */
  readonly placed: boolean
  /** Place on the leaderboard, from 1; null beyond the first 10,000 places and in placement. */
  readonly rank: number | null
  /** Time of the last change. */
  readonly updated_at: string
}

/** Servers of a build that were asked to stop. */
export interface StoppedServers {
  /** The build. */
  readonly build_id: string
  /** Number of live servers that run the build now; a job stops them, some at a time. */
  readonly servers: number
}

/** A size of game server: cores and gigabytes. */
export type Tier = '1x-1g' | '1x-2g' | '1x-4g' | '2x-2g' | '2x-4g' | '2x-8g' | '4x-4g' | '4x-8g' | '4x-16g' | '8x-8g' | '8x-16g' | '8x-32g'

/** A build that waits for its archive. */
export interface UploadUrl {
  /** Id. */
  readonly build_id: string
  /** URL that takes the ZIP by PUT, once, within 15 minutes, without another credential. */
  readonly upload_url: string
  /** Time from which the URL takes no upload. */
  readonly expires_at: string
  /** The build that waits for its archive. */
  readonly build: Build
}

/** Usage and cost of a month. */
export interface Usage {
  /** The month: `2026-03`. */
  readonly period: string
  /** In US dollars. */
  readonly total_cost: number
  /** Part that is paid by credit, in US dollars. */
  readonly credit_applied: number
  /** Remaining amount, in US dollars. */
  readonly balance_due: number
  /** The same for each project; at most the 1,000 most expensive ones. */
  readonly projects: readonly ({
    /** The project. */
    readonly project_id: string
    /** Its name. */
    readonly name: string
    /** In US dollars. */
    readonly cost: number
  })[]
  /** Whether projects are missing from the list; the sums include all projects. */
  readonly has_more: boolean
}

/** Number of warm servers of a queue. */
export interface WarmSettings {
  /** Minimum number of servers, including those in matches; 0 by default. */
  readonly min?: number | undefined
  /** Number of servers that wait for a match; 1 by default. */
  readonly buffer?: number | undefined
}

/** An address that gets messages about events. */
export interface Webhook {
  /** Id. */
  readonly webhook_id: string
  /** The address; for roles below `admin` without its path and query, in whose place is `…`. */
  readonly url: string
  /** Event types that the webhook gets. */
  readonly types: readonly ('match.found' | 'match.started' | 'match.ended' | 'match.backfilled' | 'lobby.deleted' | 'server.running' | 'server.stopped' | 'server.failed' | 'build.ready' | 'build.failed' | 'match.result' | 'player.banned' | 'player.unbanned' | 'problem.opened' | 'problem.closed')[]
  /** Description of the webhook. */
  readonly description: string | null
  /** Shape of the bodies. */
  readonly format: 'plain' | 'slack' | 'pagerduty'
  /** Whether the webhook gets messages. */
  readonly enabled: boolean
  /** Reason why the service disabled the webhook: `gone` (it answered 410) or `failing` (five days of failures). Else null. */
  readonly disabled_reason: 'gone' | 'failing' | null
  /** Time of creation. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
}

/** A webhook, with the secret that signs its messages. */
export interface WebhookWithSecret {
  /** Id. */
  readonly webhook_id: string
  /** The address; for roles below `admin` without its path and query, in whose place is `…`. */
  readonly url: string
  /** Event types that the webhook gets. */
  readonly types: readonly ('match.found' | 'match.started' | 'match.ended' | 'match.backfilled' | 'lobby.deleted' | 'server.running' | 'server.stopped' | 'server.failed' | 'build.ready' | 'build.failed' | 'match.result' | 'player.banned' | 'player.unbanned' | 'problem.opened' | 'problem.closed')[]
  /** Description of the webhook. */
  readonly description: string | null
  /** Shape of the bodies. */
  readonly format: 'plain' | 'slack' | 'pagerduty'
  /** Whether the webhook gets messages. */
  readonly enabled: boolean
  /** Reason why the service disabled the webhook: `gone` (it answered 410) or `failing` (five days of failures). Else null. */
  readonly disabled_reason: 'gone' | 'failing' | null
  /** Time of creation. */
  readonly created_at: string
  /** Time of the last change. */
  readonly updated_at: string
  /** Secret, shown only once and not in a replayed answer. */
  readonly secret?: string
}

/** Creates a project with a client key and a server key; their values are shown only once. */
export interface ProjectsCreateBody {
  /** Display name; the slug is derived from it. */
  readonly name: string
}

/** Sets how players of the project prove their identity; a generated secret is shown only once. */
export interface ProjectsSetPlayerAuthBody {
  /** `trusted`: the game names the player. `signed`: a token of an issuer names the player. */
  readonly mode: 'trusted' | 'signed'
  /** Issuers whose tokens are accepted. */
  readonly issuers?: readonly PlayerIssuerSettings[] | undefined
}

/** Sets the amount that a month of the project may cost before the service warns; it stops no servers. */
export interface ProjectsSetBudgetBody {
  /** Amount for each calendar month (UTC) in US dollars, 0.01 to 1,000,000; null removes it. */
  readonly monthly_usd: number | null
}

/** Invites a person to a project; the token works once, for 7 days, and is shown only once. */
export interface MembersInviteBody {
  /** Role that the account gets; nobody grants more than their own role. */
  readonly role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner'
  /** E-mail address for which the invitation is meant, as text for lists; no mail is sent. */
  readonly email?: string | undefined
}

/** Sets the role of a member, and of the server keys that the member created. */
export interface MembersSetRoleBody {
  /** New role; nobody grants more than their own role. */
  readonly role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner'
}

/** Creates a key; its value is shown only once. */
export interface KeysMintBody {
  /** `client`: for games, visible to everybody. `server`: for backends, secret. */
  readonly type: 'client' | 'server'
  /** Display name. */
  readonly name?: string | undefined
  /** Lifetime of the key in seconds; without it the key is valid until it is revoked. */
  readonly expires_in?: number | undefined
}

/** Creates a build and the URL that takes its ZIP, once, within 15 minutes. */
export interface BuildsCreateUploadBody {
  /** Name that servers use as `version_tag`: 1 to 64 characters of a-z, A-Z, 0-9, dot, underscore and hyphen. */
  readonly name: string
  /** Path of the program in the archive: relative, without `..`. */
  readonly executable_path: string
  /** Size of the archive in bytes; an archive of another size is refused. */
  readonly size?: number | undefined
  /** SHA-256 of the archive in hexadecimal digits; another archive is refused. */
  readonly sha256?: string | undefined
}

/** Creates a build of a container image, which is then pulled and validated. */
export interface BuildsRegisterImageBody {
  /** Name that servers use as `version_tag`: 1 to 64 characters of a-z, A-Z, 0-9, dot, underscore and hyphen. */
  readonly name: string
  /** OCI reference without scheme or user. Servers run the image that it points at now. */
  readonly image_url: string
}

/** Disables a build, so that no new server is launched from it; drains it; or enables it again. */
export interface BuildsUpdateBody {
  /** true: no new server is launched from it, and running servers continue. false: servers are launched again, and a drain ends. */
  readonly disabled?: boolean | undefined
  /** true: the build is disabled, its servers without a match are stopped, and its matches take no more players and play to their end. false: a drain ends; the build stays disabled. */
  readonly drain?: boolean | undefined
}

/** Requests newcomers for open seats of the game server's match. */
export interface ServersSelfBackfillBody {
  /** Teams with the number of seats to fill; all open seats by default. */
  readonly teams?: readonly ({
    /** The team. */
    readonly name: string
    /** Number of seats to fill. */
    readonly open: number
  })[] | undefined
  /** Present players with their current states, which rules compare with those of newcomers. */
  readonly players?: readonly ({
    /** The player. */
    readonly player_id: string
    /** Replaces the state by which rules judge this player in the match; lobbies do not change. Free-form, at most 16 kB and 16 levels deep. */
    readonly state: JsonObject
  })[] | undefined
  /** Seconds after which the request expires; the queue's value by default. */
  readonly timeout?: number | undefined
}

/** Keeps an open seat of the game server's match for a player. */
export interface ServersSelfKeepSeatBody {
  /** Player for whom the seat is kept. */
  readonly player_id: string
  /** Team of the seat; by default the team of the calling player, or the team with the most open seats. */
  readonly team?: string | undefined
  /** Seconds for which the seat is kept. */
  readonly hold?: number | undefined
}

/** Records the result of the game server's match, once; `end: true` ends the match too. */
export interface ServersSelfResultBody {
  /** Result of each team: `rank` for all, or `score` for all. With both, the ranks decide. */
  readonly teams: readonly ({
    /** Team of the match. */
    readonly name: string
    /** Place of the team, from 1; teams may share a place. */
    readonly rank?: number | undefined
    /** Score of the team; higher is better. */
    readonly score?: number | undefined
  })[]
  /** Results of players. */
  readonly players?: readonly ({
    /** Player of the match, also one who left. */
    readonly player_id: string
    /** Score of the player. */
    readonly score?: number | undefined
    /** Figures of the game about the player, at most 2 kB; shown to server keys only. Free-form, at most 16 kB and 16 levels deep. */
    readonly stats?: JsonObject | undefined
    /** Whether the player left before the match was decided; false by default. */
    readonly left?: boolean | undefined
  })[] | undefined
  /** Whether the match was played to its end; otherwise the result counts for nothing. */
  readonly completed?: boolean | undefined
  /** Whether the match ends in the same commit. */
  readonly end?: boolean | undefined
  /** Whether the result replaces another one, with a server key and within 7 days. */
  readonly amend?: boolean | undefined
}

/** Launches a game server without a match; the answer does not wait for it. */
export interface ServersCreateBody {
  /** The name of the build. */
  readonly version_tag: string
  /** Region of the server; by default the first region that a machine serves, `iad` when all are served. */
  readonly region?: Region | undefined
  /** Size: cores and gigabytes; the smallest by default. */
  readonly tier?: Tier | undefined
  /** Ports that the program requests, at most 16. */
  readonly network_ports?: readonly PortRequest[] | undefined
  /** Arguments of the program, split by the quoting rules of a shell, without a shell. Then ${PORT_<NAME>}, ${INSTANCE_ID}, ${MATCH_ID}, ${REGION} and ${SVC_CONFIG_FILE} are replaced; $${ is the text ${. */
  readonly startup_args?: string | undefined
  /** Environment variables of the program, at most 64 and 8 kB. The service's own names are refused: HOME, LANG, PATH, SVC_CONFIG_FILE, TRACEPARENT, PORT_* and MATCHYARD_*. */
  readonly environment?: { readonly [name: string]: string } | undefined
  /** Condition for `running`: its ports (each TCP port accepts, each UDP port is bound; the default), only its own call, or one second of running. Its own call always suffices. */
  readonly readiness?: 'port' | 'self' | 'uptime' | undefined
  /** Maximum lifetime in seconds; the plan's maximum by default. */
  readonly ttl?: number | undefined
  /** Seconds from SIGTERM until the program is killed, at each stop; 10 by default. */
  readonly stop_grace_seconds?: number | undefined
  /** Whether the server is restarted when its program ends by itself. */
  readonly auto_restart?: boolean | undefined
  /** Custom data for the program, in its configuration file; `{}` by default. Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data?: JsonObject | undefined
  /** Display name; generated by default. */
  readonly name?: string | undefined
}

/** Sets the value of a secret for environment variables of game servers. */
export interface SecretsSetBody {
  /** The value: at most 8,192 bytes. No call returns it. */
  readonly value: string
}

/** Empties a machine: its matches end by themselves, or at a deadline. */
export interface MachinesDrainBody {
  /** Seconds after which the remaining servers are stopped; by default they run to the end of their matches. */
  readonly deadline?: number | undefined
}

/** Creates the token of an agent, and its machine if there is none; the token is shown only once. */
export interface MachinesMintTokenBody {
  /** Whether the token may replace the machine's token, which then stops working; false by default. */
  readonly replace?: boolean | undefined
}

/** Creates a queue: settings of its lobbies, matchmaking and game servers. */
export interface QueuesCreateBody {
  /** Id by which games name the queue: 1 to 64 characters of a-z, 0-9 and _. */
  readonly queue_id: string
  /** Display name. */
  readonly name: string
  /** Whether lobbies can be created in the queue and matched. */
  readonly enabled?: boolean | undefined
  /** Maximum number of players in a lobby. */
  readonly max_players?: number | undefined
  /** Seconds after which a search ends and the lobby returns to `waiting`. */
  readonly timeout?: number | undefined
  /** Whether silent players are removed from their lobbies. */
  readonly heartbeat?: boolean | undefined
  /** Seconds of silence after which a player is removed; only with `heartbeat`. */
  readonly heartbeat_timeout?: number | undefined
  /** Effect of the host's departure on a lobby: the next player becomes host, or the lobby is deleted. */
  readonly host_leave_behavior?: 'promote' | 'delete' | undefined
  /** Seconds without activity after which a lobby is deleted. */
  readonly lobby_ttl?: number | undefined
  /** Seconds after which a match without a server of the service ends by itself; null: never. */
  readonly match_ttl?: number | null | undefined
  /** Whether a player may be in several live matches at the same time. Without it, a player who is in a live match cannot enter another one. */
  readonly concurrent_matches?: boolean | undefined
  /** Seconds after which a searching lobby counts as absent if none of its players was heard; it is then not matched until one is. 0: never. */
  readonly presence_timeout?: number | undefined
  /** As `heartbeat_timeout`, for lobbies in a match; 0: silent players are not removed there; null: as `heartbeat_timeout`. */
  readonly in_game_heartbeat_timeout?: number | null | undefined
  /** Seconds for which a player who leaves a running match cannot enter the queue; 0: no penalty. */
  readonly leaver_penalty?: number | undefined
  /** Whether a party whose match failed to launch is put back into the queue, with the age it had. */
  readonly requeue_on_failure?: boolean | undefined
  /** Invite codes of the queue's lobbies. */
  readonly invite_code_config?: InviteCodeConfig | undefined
  /** Settings of the matches' servers; without them matches have no server. */
  readonly server_settings?: ServerSettings | undefined
  /** Matchmaking rules and team sizes; without them lobbies can only be started directly. */
  readonly matchmaking?: Matchmaking | undefined
  /** Rating that the results of the queue's matches change, and that is written into the states of players who enter; null: none. */
  readonly rating?: string | null | undefined
  /** Field of the state for the rating of a player; `<field>_uncertainty` gets its uncertainty. Clients may write neither. */
  readonly rating_field?: string | undefined
  /** Whether direct starts count for the rating too. */
  readonly rated_starts?: boolean | undefined
  /** Fields of player states that clients may not write; they come from a player token or from your backend. */
  readonly trusted_fields?: readonly string[] | undefined
}

/** Changes a queue from the next matchmaking tick on; nested objects are replaced completely. */
export interface QueuesUpdateBody {
  /** Display name. */
  readonly name?: string | undefined
  /** Whether lobbies can be created in the queue and matched. */
  readonly enabled?: boolean | undefined
  /** Maximum number of players in a lobby. */
  readonly max_players?: number | undefined
  /** Seconds after which a search ends and the lobby returns to `waiting`. */
  readonly timeout?: number | undefined
  /** Whether silent players are removed from their lobbies. */
  readonly heartbeat?: boolean | undefined
  /** Seconds of silence after which a player is removed; only with `heartbeat`. */
  readonly heartbeat_timeout?: number | undefined
  /** Effect of the host's departure on a lobby: the next player becomes host, or the lobby is deleted. */
  readonly host_leave_behavior?: 'promote' | 'delete' | undefined
  /** Seconds without activity after which a lobby is deleted. */
  readonly lobby_ttl?: number | undefined
  /** Seconds after which a match without a server of the service ends by itself; null: never. */
  readonly match_ttl?: number | null | undefined
  /** Whether a player may be in several live matches at the same time. Without it, a player who is in a live match cannot enter another one. */
  readonly concurrent_matches?: boolean | undefined
  /** Seconds after which a searching lobby counts as absent if none of its players was heard; it is then not matched until one is. 0: never. */
  readonly presence_timeout?: number | undefined
  /** As `heartbeat_timeout`, for lobbies in a match; 0: silent players are not removed there; null: as `heartbeat_timeout`. */
  readonly in_game_heartbeat_timeout?: number | null | undefined
  /** Seconds for which a player who leaves a running match cannot enter the queue; 0: no penalty. */
  readonly leaver_penalty?: number | undefined
  /** Whether a party whose match failed to launch is put back into the queue, with the age it had. */
  readonly requeue_on_failure?: boolean | undefined
  /** Invite codes of the queue's lobbies. */
  readonly invite_code_config?: InviteCodeConfig | undefined
  /** Settings of the matches' servers; without them matches have no server. */
  readonly server_settings?: ServerSettings | undefined
  /** Matchmaking rules and team sizes; without them lobbies can only be started directly. */
  readonly matchmaking?: Matchmaking | undefined
  /** Rating that the results of the queue's matches change, and that is written into the states of players who enter; null: none. */
  readonly rating?: string | null | undefined
  /** Field of the state for the rating of a player; `<field>_uncertainty` gets its uncertainty. Clients may write neither. */
  readonly rating_field?: string | undefined
  /** Whether direct starts count for the rating too. */
  readonly rated_starts?: boolean | undefined
  /** Fields of player states that clients may not write; they come from a player token or from your backend. */
  readonly trusted_fields?: readonly string[] | undefined
}

/** Restores the settings of the queue at a version of its history. */
export interface QueuesRestoreBody {
  /** A version of the queue's history. */
  readonly version: number
}

/** Assigns a server of your own to a match, or changes the assigned server. */
export interface MatchesAssignBody {
  /** Address to connect to: a host name, an IPv4 or an IPv6 address. */
  readonly host: string
  /** Ports of the server. */
  readonly ports: readonly AssignedPort[]
  /** Region of the server; the match's region by default. */
  readonly region?: Region | undefined
  /** Custom data that is stored and returned to you, and hidden from players; `{}` by default. Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data?: JsonObject | undefined
}

/** Requests newcomers for open seats of a running match, in place of an earlier request. */
export interface MatchesBackfillBody {
  /** Teams with the number of seats to fill; all open seats by default. */
  readonly teams?: readonly ({
    /** The team. */
    readonly name: string
    /** Number of seats to fill. */
    readonly open: number
  })[] | undefined
  /** Present players with their current states, which rules compare with those of newcomers. */
  readonly players?: readonly ({
    /** The player. */
    readonly player_id: string
    /** Replaces the state by which rules judge this player in the match; lobbies do not change. Free-form, at most 16 kB and 16 levels deep. */
    readonly state: JsonObject
  })[] | undefined
  /** Seconds after which the request expires; the queue's value by default. */
  readonly timeout?: number | undefined
}

/** Records the result of a match, once; `amend: true` corrects it, and `end: true` ends the match too. */
export interface MatchesResultBody {
  /** Result of each team: `rank` for all, or `score` for all. With both, the ranks decide. */
  readonly teams: readonly ({
    /** Team of the match. */
    readonly name: string
    /** Place of the team, from 1; teams may share a place. */
    readonly rank?: number | undefined
    /** Score of the team; higher is better. */
    readonly score?: number | undefined
  })[]
  /** Results of players. */
  readonly players?: readonly ({
    /** Player of the match, also one who left. */
    readonly player_id: string
    /** Score of the player. */
    readonly score?: number | undefined
    /** Figures of the game about the player, at most 2 kB; shown to server keys only. Free-form, at most 16 kB and 16 levels deep. */
    readonly stats?: JsonObject | undefined
    /** Whether the player left before the match was decided; false by default. */
    readonly left?: boolean | undefined
  })[] | undefined
  /** Whether the match was played to its end; otherwise the result counts for nothing. */
  readonly completed?: boolean | undefined
  /** Whether the match ends in the same commit. */
  readonly end?: boolean | undefined
  /** Whether the result replaces another one, with a server key and within 7 days. */
  readonly amend?: boolean | undefined
}

/** Bans a player from the project or from some queues, in place of the player's present ban. */
export interface BansSetBody {
  /** Reason that the player may read. */
  readonly reason?: string | null | undefined
  /** Note for the project's developers and backend. */
  readonly note?: string | null | undefined
  /** End of the ban; without it the ban has no end. */
  readonly until?: string | null | undefined
  /** Queues that the player may not enter; without it the whole project. */
  readonly queues?: readonly string[] | null | undefined
}

/** Creates a rating, or replaces its settings. */
export interface RatingsSetBody {
  /** Display name. */
  readonly name: string
  /** Model that computes the ratings; fixed once a match was counted. */
  readonly model?: 'plackettLuce' | 'bradleyTerryFull' | 'bradleyTerryPart' | 'thurstoneMostellerFull' | 'thurstoneMostellerPart' | undefined
  /** Parameters of the model; an absent one gets its default. */
  readonly params?: RatingParamsSettings | undefined
  /** Skill of a player without matches; fixed once a match was counted. */
  readonly initial?: InitialSkill | undefined
  /** Displayed number of a new player, and points for one `sigma`. */
  readonly display?: RatingDisplaySettings | undefined
  /** Matches after which a player is on the leaderboard. */
  readonly placement_matches?: number | undefined
}

/** Begins a season of the rating. */
export interface RatingsStartSeasonBody {
  /** Name of the season, unique in the rating. */
  readonly name: string
  /** Share of the distance to the initial skill that players keep. */
  readonly keep: number
}

/** Records that somebody looks after an open problem, with a note. */
export interface ProblemsAcknowledgeBody {
  /** Note for others; null by default. */
  readonly note?: string | null | undefined
}

/** Mutes an open problem for a time, or ends its mute. */
export interface ProblemsMuteBody {
  /** Minutes for which the problem is muted; 0 ends a mute. */
  readonly minutes?: number | undefined
  /** End of the mute, in place of `minutes`. */
  readonly until?: string | null | undefined
  /** Reason; null by default. */
  readonly reason?: string | null | undefined
}

/** Creates a webhook; its secret is shown only once. */
export interface WebhooksCreateBody {
  /** Address; https unless the operator allows others. */
  readonly url: string
  /** Event types; all by default. */
  readonly types?: readonly ('match.found' | 'match.started' | 'match.ended' | 'match.backfilled' | 'lobby.deleted' | 'server.running' | 'server.stopped' | 'server.failed' | 'build.ready' | 'build.failed' | 'match.result' | 'player.banned' | 'player.unbanned' | 'problem.opened' | 'problem.closed')[] | undefined
  /** Description; null by default. */
  readonly description?: string | null | undefined
  /** Shape of the bodies: `plain` by default, `slack`, or `pagerduty` with the parameter `routing_key` in `url`. */
  readonly format?: 'plain' | 'slack' | 'pagerduty' | undefined
}

/** Replaces the given fields, from the next event on. */
export interface WebhooksUpdateBody {
  /** The address. */
  readonly url?: string | undefined
  /** Event types that the webhook gets. */
  readonly types?: readonly ('match.found' | 'match.started' | 'match.ended' | 'match.backfilled' | 'lobby.deleted' | 'server.running' | 'server.stopped' | 'server.failed' | 'build.ready' | 'build.failed' | 'match.result' | 'player.banned' | 'player.unbanned' | 'problem.opened' | 'problem.closed')[] | undefined
  /** Whether the webhook gets messages; `true` enables a disabled webhook again. */
  readonly enabled?: boolean | undefined
  /** Description of the webhook. */
  readonly description?: string | null | undefined
  /** Shape of the bodies: `plain` by default, `slack`, or `pagerduty` with the parameter `routing_key` in `url`. */
  readonly format?: 'plain' | 'slack' | 'pagerduty' | undefined
}

/** Every code of the service's error catalogue. */
export type ServiceErrorCode =
  | 'INVALID_API_KEY'
  | 'MISSING_CREDENTIALS'
  | 'INVALID_SESSION_TOKEN'
  | 'SESSION_EXPIRED'
  | 'CREDENTIAL_NOT_ALLOWED'
  | 'PLAYER_ID_REQUIRED'
  | 'INVALID_PLAYER_ID'
  | 'INVALID_LOGIN'
  | 'EMAIL_TAKEN'
  | 'PLAYER_TOKEN_REQUIRED'
  | 'INVALID_PLAYER_TOKEN'
  | 'REGISTRATION_CLOSED'
  | 'INVALID_MACHINE_TOKEN'
  | 'SESSION_NOT_FOUND'
  | 'SECOND_FACTOR_REQUIRED'
  | 'SECOND_FACTOR_STATE'
  | 'SECOND_FACTOR_REFUSED'
  | 'SERVER_NOT_FOUND'
  | 'INVALID_SERVER_STATE'
  | 'SERVER_LAUNCH_FAILED'
  | 'MACHINE_NOT_FOUND'
  | 'BUILD_NOT_FOUND'
  | 'BUILD_NOT_READY'
  | 'BUILD_IN_USE'
  | 'UPLOAD_REJECTED'
  | 'LOBBY_NOT_FOUND'
  | 'LOBBY_FULL'
  | 'PLAYER_NOT_IN_LOBBY'
  | 'NOT_HOST'
  | 'INVALID_INVITE_CODE'
  | 'PLAYER_STATE_FORBIDDEN'
  | 'INVALID_LOBBY_STATE'
  | 'LOBBY_NOT_ACCEPTING'
  | 'INVITE_CODES_EXHAUSTED'
  | 'PLAYER_BANNED'
  | 'BAN_NOT_FOUND'
  | 'BAN_LIMIT'
  | 'QUEUE_NOT_FOUND'
  | 'QUEUE_DISABLED'
  | 'QUEUE_EXISTS'
  | 'QUEUE_IN_USE'
  | 'QUEUE_VERSION_NOT_FOUND'
  | 'RATING_NOT_FOUND'
  | 'RATING_IN_USE'
  | 'MATCHMAKING_NOT_CONFIGURED'
  | 'PARTY_TOO_LARGE'
  | 'PARTY_CANNOT_MATCH'
  | 'MATCH_NOT_FOUND'
  | 'INVALID_MATCH_STATE'
  | 'NO_PROPOSAL'
  | 'PROPOSAL_CHANGED'
  | 'PLAYER_COOLING_DOWN'
  | 'PLAYER_IN_MATCH'
  | 'MATCH_FULL'
  | 'SEAT_NOT_FOUND'
  | 'RESULT_EXISTS'
  | 'TOO_MANY_SEARCHES'
  | 'BACKFILL_NOT_FOUND'
  | 'PLAN_LIMIT_EXCEEDED'
  | 'PAYMENT_METHOD_REQUIRED'
  | 'INVALID_PLAN_CHANGE'
  | 'PROJECT_NOT_FOUND'
  | 'PROJECT_HAS_RUNNING_SERVERS'
  | 'ROLE_NOT_ALLOWED'
  | 'MEMBER_NOT_FOUND'
  | 'INVITATION_NOT_FOUND'
  | 'PROBLEM_NOT_FOUND'
  | 'VALIDATION_FAILED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'RATE_LIMITED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'UNAVAILABLE'
  | 'CONFLICT'
  | 'INTERNAL'
  | 'IDEMPOTENCY_MISMATCH'
  | 'KEY_NOT_FOUND'
  | 'KEY_REVOKED'
  | 'WEBHOOK_NOT_FOUND'
  | 'WEBHOOK_ADDRESS_REFUSED'
  | 'WEBHOOK_LIMIT'
  | 'SECRET_NOT_FOUND'
  | 'SECRET_LIMIT'

/** Error codes of the calls of a game server. A code never changes; codes may be added. */
export type GameServerErrorCode =
  | 'BACKFILL_NOT_FOUND'
  | 'CONFLICT'
  | 'CREDENTIAL_NOT_ALLOWED'
  | 'IDEMPOTENCY_MISMATCH'
  | 'INTERNAL'
  | 'INVALID_API_KEY'
  | 'INVALID_MATCH_STATE'
  | 'INVALID_SERVER_STATE'
  | 'INVALID_SESSION_TOKEN'
  | 'MATCHMAKING_NOT_CONFIGURED'
  | 'MATCH_FULL'
  | 'MATCH_NOT_FOUND'
  | 'MISSING_CREDENTIALS'
  | 'PAYLOAD_TOO_LARGE'
  | 'PLAYER_IN_MATCH'
  | 'PLAYER_NOT_IN_LOBBY'
  | 'RATE_LIMITED'
  | 'RESULT_EXISTS'
  | 'SEAT_NOT_FOUND'
  | 'SESSION_EXPIRED'
  | 'UNAVAILABLE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_FAILED'
