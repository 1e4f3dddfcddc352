// Written by `npm run generate` from docs/openapi.json; not to be edited by hand.

/** Free-form JSON: yours, and carried through untouched. */
export type JsonObject = { readonly [key: string]: unknown }

/** One page of a list. */
export interface Page<T> {
  /** How many there are in all. */
  readonly total: number
  /** How many a page has at the most. */
  readonly limit: number
  /** How many come before this page. */
  readonly offset: number
  /** Whether there is a page after this one. */
  readonly has_more: boolean
  /** What is on this page. */
  readonly data: readonly T[]
}

/** A match. */
export interface Match {
  /** Its id. */
  readonly match_id: string
  /** The queue that it was made in. */
  readonly queue_id: string
  /** `running` once players can play. */
  readonly status: 'proposed' | 'launching' | 'running' | 'ended'
  /** Grows by one with every change. */
  readonly version: number
  /** Where it is played. */
  readonly region: Region
  /** Who plays, team by team. */
  readonly teams: readonly ({
    /** The team's name. */
    readonly name: string
    /** Its players, those who have left too. */
    readonly players: readonly ({
      /** The player; empty for one who was erased. */
      readonly player_id: string
      /** The lobby from which the player came. */
      readonly lobby_id: string
      /** The role in the team; null where the queue has none. */
      readonly role: string | null
      /** Set when the player left while the match went on. */
      readonly left_at?: string
    })[]
  })[]
  /** Where it is played; null where it has no server. */
  readonly server: ServerSummary | null
  /** When it was made, ISO 8601. */
  readonly created_at: string
  /** When it ended, ISO 8601; null while it goes on. */
  readonly ended_at: string | null
}

/** A region code. */
export type Region = 'ams' | 'arn' | 'bom' | 'cdg' | 'dfw' | 'ewr' | 'fra' | 'iad' | 'lax' | 'lhr' | 'nrt' | 'ord' | 'sin' | 'sjc' | 'syd' | 'yyz'

/** A game server, as far as players need to know it. */
export interface ServerSummary {
  /** The server's id. */
  readonly instance_id: string
  /** Where it runs. */
  readonly region: Region
  /** `running` is the one that takes players. */
  readonly status: 'launching' | 'running' | 'stopping' | 'stopped' | 'failed'
  /** The match that is played on it. */
  readonly match_id: string
  /** Where it listens. */
  readonly network_ports: readonly PortMapping[]
}

/** A port of a game server. */
export interface PortMapping {
  /** As the queue names it. */
  readonly name: string
  /** What is spoken on it. */
  readonly protocol: 'udp' | 'tcp'
  /** The port as the server sees it. */
  readonly internal_port: number
  /** The port that players connect to. */
  readonly external_port: number
  /** The name or address that players connect to. */
  readonly host: string
  /** Whether TLS is spoken on it. */
  readonly tls_enabled: boolean
}

/** A lobby, spelled as the service spells it. */
export interface Lobby {
  /** Its id. */
  readonly lobby_id: string
  /** The queue that it is in. */
  readonly queue_id: string
  /** `waiting`, `in_queue` (it searches), `matched` or `starting` (its server starts), `in_game`. */
  readonly status: 'waiting' | 'in_queue' | 'matched' | 'starting' | 'in_game'
  /** The player who may change, start and close it. */
  readonly host_player_id: string
  /** Kept out of lists, and joined by invite code only. */
  readonly is_private: boolean
  /** So many players at the most. */
  readonly max_players: number
  /** So many players are in it. */
  readonly current_players: number
  /** Who is in it, in the order in which they came. */
  readonly players: readonly Player[]
  /** Shown in lists; absent where it has none. */
  readonly name?: string
  /** Where a match that is started directly runs; absent where nobody said. */
  readonly region?: Region
  /** What others join by; null where the queue has no invite codes. */
  readonly invite_code: string | null
  /** The host's, replaced whole. */
  readonly settings: JsonObject
  /** Where its match is played; null until the server has ports, and again once the match is over. */
  readonly server: ServerSummary | null
  /** Its match; null while there is none. */
  readonly match_id: string | null
  /** A match that its players are asked about; absent while there is none. */
  readonly proposal?: Proposal
  /** Why it came back to `waiting` the last time; null once it has entered again. */
  readonly last_exit: LobbyExit | null
  /** Grows by one with every change; the id of its event. */
  readonly version: number
  /** When it was made, ISO 8601. */
  readonly created_at: string
  /** When it changed last, ISO 8601. */
  readonly updated_at: string
}

/** A player in a lobby. */
export interface Player {
  /** The id. */
  readonly player_id: string
  /** Whether it is the host. */
  readonly is_host: boolean
  /** When it came, ISO 8601. */
  readonly joined_at: string
  /** The player's own: what rules compare, and what else the game keeps there. */
  readonly state: JsonObject
}

/** A match that players are asked about before it is made. */
export interface Proposal {
  /** The match that it would be. */
  readonly match_id: string
  /** Whoever has not answered by then is back in `waiting`, ISO 8601. */
  readonly expires_at: string
  /** All players of the match. */
  readonly needed: number
  /** Of all players of the match. */
  readonly accepted: number
  /** The lobby's own players, and what each has answered. */
  readonly players: readonly ({
    /** The player. */
    readonly player_id: string
    /** `none` until the player has answered. */
    readonly answer: 'none' | 'accepted' | 'declined'
  })[]
}

/** How a lobby came back to `waiting`. */
export interface LobbyExit {
  /** What happened; act on it. */
  readonly reason: 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable' | 'launch_failed' | 'no_room' | 'build_missing' | 'match_ended' | 'server_stopped' | 'server_failed' | 'server_expired' | 'backend_ended'
  /** A sentence for a developer. */
  readonly detail: string
  /** When, ISO 8601. */
  readonly at: string
}

export interface Server {
  readonly instance_id: string
  readonly project_id: string
  readonly name: string
  readonly status: 'launching' | 'running' | 'stopping' | 'stopped' | 'failed'
  readonly status_reason: 'waiting_for_room' | null
  readonly region: Region
  readonly tier: Tier
  readonly version_tag: string
  readonly build_id: string | null
  readonly build_version: number | null
  readonly network_ports: readonly PortMapping[]
  readonly startup_args: string
  /** What makes the server run: its ports (every TCP port accepts, every UDP port is bound by it; the default), its own call alone, or having stayed up for a second. Its own call always does. */
  readonly readiness?: 'port' | 'self' | 'uptime'
  readonly ttl: number | null
  readonly auto_restart: boolean
  /** Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data: JsonObject
  readonly match_id: string | null
  readonly exit_code: number | null
  readonly stop_reason: string | null
  readonly restarts: number
  readonly created_at: string
  readonly running_at: string | null
  readonly stopped_at: string | null
  readonly expires_at: string | null
  readonly updated_at: string
}

/** A size of game server. */
export type Tier = '1x-1g' | '1x-2g' | '1x-4g' | '2x-2g' | '2x-4g' | '2x-8g' | '4x-4g' | '4x-8g' | '4x-16g' | '8x-8g' | '8x-16g' | '8x-32g'

export interface Build {
  readonly build_id: string
  /** What servers reference as `version_tag`. */
  readonly name: string
  readonly version: number
  readonly status: 'uploading' | 'processing' | 'ready' | 'failed' | 'deleted'
  readonly build_type: 'zip' | 'docker_image'
  readonly created_at: string
  readonly updated_at: string
  /** `zip` only. */
  readonly executable_path?: string
  /** `docker_image` only. */
  readonly image_url?: string
  readonly error_message: string | null
}

export interface Account {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly plan: 'free' | 'payg' | 'pro'
  readonly tariff?: 'self_hosted'
  readonly created_at: string
  readonly updated_at: string
}

/** RFC 9457; `code` and `number` are the stable identity of an error. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: 'INVALID_API_KEY' | 'MISSING_CREDENTIALS' | 'INVALID_SESSION_TOKEN' | 'SESSION_EXPIRED' | 'CREDENTIAL_NOT_ALLOWED' | 'PLAYER_ID_REQUIRED' | 'INVALID_PLAYER_ID' | 'INVALID_LOGIN' | 'EMAIL_TAKEN' | 'PLAYER_TOKEN_REQUIRED' | 'INVALID_PLAYER_TOKEN' | 'REGISTRATION_CLOSED' | 'SERVER_NOT_FOUND' | 'INVALID_SERVER_STATE' | 'SERVER_LAUNCH_FAILED' | 'BUILD_NOT_FOUND' | 'BUILD_NOT_READY' | 'BUILD_IN_USE' | 'UPLOAD_REJECTED' | 'LOBBY_NOT_FOUND' | 'LOBBY_FULL' | 'PLAYER_NOT_IN_LOBBY' | 'NOT_HOST' | 'INVALID_INVITE_CODE' | 'PLAYER_STATE_FORBIDDEN' | 'INVALID_LOBBY_STATE' | 'LOBBY_NOT_ACCEPTING' | 'INVITE_CODES_EXHAUSTED' | 'QUEUE_NOT_FOUND' | 'QUEUE_DISABLED' | 'QUEUE_EXISTS' | 'QUEUE_IN_USE' | 'QUEUE_VERSION_NOT_FOUND' | 'MATCHMAKING_NOT_CONFIGURED' | 'PARTY_TOO_LARGE' | 'PARTY_CANNOT_MATCH' | 'MATCH_NOT_FOUND' | 'INVALID_MATCH_STATE' | 'NO_PROPOSAL' | 'PROPOSAL_CHANGED' | 'PLAYER_COOLING_DOWN' | 'BACKFILL_NOT_FOUND' | 'PLAN_LIMIT_EXCEEDED' | 'PAYMENT_METHOD_REQUIRED' | 'INVALID_PLAN_CHANGE' | 'PROJECT_NOT_FOUND' | 'PROJECT_HAS_RUNNING_SERVERS' | 'VALIDATION_FAILED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'RATE_LIMITED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'UNAVAILABLE' | 'CONFLICT' | 'INTERNAL' | 'IDEMPOTENCY_MISMATCH' | 'KEY_NOT_FOUND' | 'KEY_REVOKED' | 'WEBHOOK_NOT_FOUND' | 'WEBHOOK_ADDRESS_REFUSED' | 'WEBHOOK_LIMIT'
  readonly number: number
  readonly detail: string
  readonly request_id: string
  readonly details: JsonObject
}

export interface Project {
  readonly project_id: string
  readonly account_id: string
  readonly name: string
  readonly slug: string
  readonly created_at: string
  readonly updated_at: string
}

export interface CreatedProject {
  readonly project_id: string
  readonly account_id: string
  readonly name: string
  readonly slug: string
  readonly created_at: string
  readonly updated_at: string
  readonly keys: readonly MintedApiKey[]
}

export type MintedApiKey = ApiKey & {
  /** The value, this once; not in a replayed answer. */
  readonly key?: string
}

export interface ApiKey {
  readonly key_id: string
  readonly project_id: string
  readonly type: 'client' | 'server'
  readonly name: string
  readonly last4: string
  readonly created_at: string
  readonly revoked_at: string | null
  readonly expires_at: string | null
}

export interface PlayerAuth {
  readonly mode: 'trusted' | 'signed'
  readonly issuers: readonly PlayerIssuer[]
}

export interface PlayerIssuer {
  readonly issuer: string
  readonly audience?: string
  readonly algorithms: readonly ('HS256' | 'RS256' | 'ES256' | 'EdDSA')[]
  readonly jwks_url?: string
  /** Free-form, at most 16 kB and 16 levels deep. */
  readonly jwks?: JsonObject
  readonly player_claim: string
  readonly state_claim: string
  /** base64url of 32 bytes, this once; HS256 signs with the bytes. */
  readonly secret?: string
}

export interface PlayerIssuerSettings {
  readonly issuer: string
  readonly audience?: string | undefined
  readonly algorithms?: readonly ('HS256' | 'RS256' | 'ES256' | 'EdDSA')[] | undefined
  readonly jwks_url?: string | undefined
  /** Free-form, at most 16 kB and 16 levels deep. */
  readonly jwks?: JsonObject | undefined
  readonly generate_secret?: true | undefined
  readonly player_claim?: string | undefined
  readonly state_claim?: string | undefined
}

export interface PlanStatus {
  readonly plan: 'free' | 'payg' | 'pro'
  readonly tariff?: 'self_hosted'
  readonly limits: {
    /** -1 is unlimited. */
    readonly max_concurrent_servers: number
    readonly max_tier: string
    /** Seconds; -1 is unlimited. */
    readonly max_server_ttl: number
    readonly regions: readonly ('ams' | 'arn' | 'bom' | 'cdg' | 'dfw' | 'ewr' | 'fra' | 'iad' | 'lax' | 'lhr' | 'nrt' | 'ord' | 'sin' | 'sjc' | 'syd' | 'yyz')[]
    /** -1 is unlimited. */
    readonly max_builds: number
    readonly queues_enabled: boolean
    readonly lobbies_enabled: boolean
    readonly matchmaking_enabled: boolean
    readonly payment_method_required: boolean
  }
  readonly current_period_start: string
  readonly current_period_end: string
  readonly pending_plan: 'free' | 'payg' | 'pro' | null
  readonly payment_method: {
    readonly type: 'card'
    readonly brand: string
    readonly last4: string
    readonly exp_month: number
    readonly exp_year: number
  } | null
}

export interface Usage {
  readonly period: string
  readonly total_cost: number
  readonly credit_applied: number
  readonly balance_due: number
  readonly projects: readonly ({
    readonly project_id: string
    readonly name: string
    readonly cost: number
  })[]
}

export interface UploadUrl {
  readonly build_id: string
  readonly upload_url: string
  readonly expires_at: string
  readonly build: Build
}

export interface BuildLogs {
  readonly build_id: string
  readonly logs: readonly ({
    readonly timestamp: string
    readonly level: 'info' | 'warn' | 'error'
    readonly message: string
  })[]
}

export interface Backfill {
  readonly match_id: string
  readonly status: 'searching'
  readonly teams: readonly ({
    readonly name: string
    readonly open: number
    /** Seats by role, where teams have roles. */
    readonly roles?: { readonly [name: string]: number }
  })[]
  readonly expires_at: string
  readonly created_at: string
}

export interface PortRequest {
  readonly name: string
  readonly protocol?: 'udp' | 'tcp' | undefined
  readonly internal_port: number
  /** Only with tcp. */
  readonly tls_enabled?: boolean | undefined
}

export interface ServerLogs {
  readonly instance_id: string
  readonly logs: readonly ({
    readonly timestamp: string
    readonly stream: 'stdout' | 'stderr'
    readonly message: string
  })[]
}

export interface Queue {
  readonly queue_id: string
  readonly name: string
  readonly enabled: boolean
  readonly max_players: number
  readonly timeout: number
  readonly heartbeat: boolean
  readonly heartbeat_timeout: number
  readonly host_leave_behavior: 'promote' | 'delete'
  readonly lobby_ttl: number
  readonly invite_code_config: {
    readonly enabled: boolean
    readonly length: number
    readonly charset: 'alphanumeric' | 'numeric' | 'alphabetic'
    readonly prefix: string
  }
  readonly server_settings?: ServerSettings
  readonly matchmaking?: Matchmaking
  /** Fields of player states that clients may not write: they come from a player token or from your backend. */
  readonly trusted_fields?: readonly string[]
  readonly warnings?: readonly string[]
  readonly created_at: string
  readonly updated_at: string
}

export interface ServerSettings {
  /** Who brings the server of a match: it is launched from `version_tag` (the default), or it is your own, which your backend tells by POST /v1/matches/{match_id}/server. */
  readonly source?: 'build' | 'external' | undefined
  readonly version_tag?: string | undefined
  readonly region?: Region | undefined
  readonly tier?: Tier | undefined
  readonly network_ports?: readonly PortRequest[] | undefined
  /** Split like a shell would quote; no shell sees it. Then ${PORT_<NAME>}, ${INSTANCE_ID}, ${MATCH_ID}, ${REGION} and ${SVC_CONFIG_FILE} are replaced; $${ is the text ${. */
  readonly startup_args?: string | undefined
  /** What makes the server run: its ports (every TCP port accepts, every UDP port is bound by it; the default), its own call alone, or having stayed up for a second. Its own call always does. */
  readonly readiness?: 'port' | 'self' | 'uptime' | undefined
  /** Seconds. */
  readonly ttl?: number | undefined
  readonly auto_restart?: boolean | undefined
  /** Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data?: JsonObject | undefined
}

export interface Matchmaking {
  readonly teams?: number | undefined
  readonly players_per_team?: number | undefined
  readonly min_players_per_team?: number | undefined
  readonly min_teams?: number | undefined
  readonly team_composition?: { readonly [name: string]: { readonly [name: string]: number } } | undefined
  readonly use_version_from_state?: boolean | undefined
  readonly allowed_versions?: readonly string[] | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
  readonly ready_check?: ReadyCheck | undefined
  readonly max_party_size?: number | undefined
  /** Seconds; default 5. */
  readonly partial_after?: number | undefined
  readonly expansion_age?: 'oldest' | 'newest' | undefined
  readonly rules?: readonly MatchRule[] | undefined
  readonly backfill?: BackfillSettings | undefined
}

export interface ReadyCheck {
  readonly timeout: number
  readonly penalty?: number | undefined
}

export type MatchRule = 
  | {
    readonly type: 'difference'
    readonly field: string
    readonly max_difference: number
    readonly required?: boolean | undefined
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    readonly type: 'equals'
    readonly field: string
    readonly required?: boolean | undefined
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    readonly type: 'region'
    readonly field?: string | undefined
    readonly min_overlap?: number | undefined
    readonly required?: boolean | undefined
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    readonly type: 'not_equals'
    readonly field: string
    readonly required?: boolean | undefined
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    readonly type: 'min'
    readonly field: string
    readonly value: number
    readonly required?: boolean | undefined
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    readonly type: 'max'
    readonly field: string
    readonly value: number
    readonly required?: boolean | undefined
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    readonly type: 'intersection'
    readonly field: string
    readonly min_overlap?: number | undefined
    readonly required?: boolean | undefined
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    readonly type: 'team_difference'
    readonly field: string
    readonly max_difference: number
    readonly required?: boolean | undefined
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    readonly type: 'latency'
    readonly field: string
    readonly max_ms: number
    readonly required?: boolean | undefined
    readonly expansions?: readonly RuleExpansion[] | undefined
  }

/** From `after_seconds` after entering the rule is this loose. */
export interface RuleExpansion {
  readonly after_seconds: number
  readonly max_difference?: number | undefined
  readonly min_overlap?: number | undefined
  readonly max_ms?: number | undefined
  readonly off?: boolean | undefined
}

export interface BackfillSettings {
  /** A running match that is left short asks by itself. */
  readonly automatic?: boolean | undefined
  /** Open seats are served before new matches are made, or from what those leave. */
  readonly priority?: 'after' | 'before' | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
}

export interface InviteCodeConfig {
  readonly enabled?: boolean | undefined
  /** Counts the random part only. */
  readonly length?: number | undefined
  readonly charset?: 'alphanumeric' | 'numeric' | 'alphabetic' | undefined
  readonly prefix?: string | undefined
}

export interface QueueStats {
  readonly players_searching: number
  readonly lobbies_searching: number
  /** Of the last 59 to 60 minutes; direct starts do not count. */
  readonly matches_last_hour: number
  readonly proposals_last_hour: {
    readonly made: number
    readonly accepted: number
    readonly declined: number
    readonly expired: number
  }
  readonly exits_last_hour: {
    readonly cancelled: number
    readonly timeout: number
    readonly player_left: number
    readonly declined: number
    readonly not_answered: number
    readonly unmatchable: number
    readonly launch_failed: number
    readonly no_room: number
    readonly build_missing: number
    readonly match_ended: number
    readonly server_stopped: number
    readonly server_failed: number
    readonly server_expired: number
    readonly backend_ended: number
  }
  /** What the lobbies matched in the last 55 to 60 minutes waited: each figure is within a tenth of the true one (below a second, within a second), and exact where few were matched. The figures of the hour are at most a second old. */
  readonly wait_seconds: {
    readonly p50: number | null
    readonly p90: number | null
    readonly p99: number | null
  }
  readonly estimated_wait_seconds: number | null
  readonly waiting_for_room: {
    readonly servers: number
    readonly oldest_seconds: number | null
  }
}

export interface Arrivals {
  readonly data: readonly Arrival[]
  readonly next_cursor: string | null
}

export interface Arrival {
  readonly arrival_id: string
  readonly lobby_id: string
  readonly entered_at: string
  readonly left_at: string | null
  readonly outcome: 'matched' | 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable' | 'deleted' | null
  readonly match_id: string | null
  readonly wait_seconds: number | null
  readonly region: Region | null
  readonly players: readonly ({
    readonly player_id: string
    /** Free-form, at most 16 kB and 16 levels deep. */
    readonly state: JsonObject
  })[]
}

export interface QueueHistoryEntry {
  readonly version: number
  readonly at: string
  readonly by: {
    readonly kind: 'key' | 'session' | 'embedded'
    readonly id: string | null
    readonly name: string | null
  } | null
  readonly changes: readonly ({
    readonly path: string
    /** Any JSON; null where there was nothing. */
    readonly before?: unknown
    /** Any JSON; null where there was nothing. */
    readonly after?: unknown
  })[]
  readonly settings: QueueSettings
}

export interface QueueSettings {
  readonly name: string
  readonly enabled: boolean
  readonly max_players: number
  readonly timeout: number
  readonly heartbeat: boolean
  readonly heartbeat_timeout: number
  readonly host_leave_behavior: 'promote' | 'delete'
  readonly lobby_ttl: number
  readonly invite_code_config: {
    readonly enabled: boolean
    readonly length: number
    readonly charset: 'alphanumeric' | 'numeric' | 'alphabetic'
    readonly prefix: string
  }
  readonly server_settings?: ServerSettings
  readonly matchmaking?: Matchmaking
  /** Fields of player states that clients may not write: they come from a player token or from your backend. */
  readonly trusted_fields?: readonly string[]
}

/** Why a lobby still waits. */
export interface QueueExplanation {
  /** The lobby. */
  readonly lobby_id: string
  /** For so long already. */
  readonly waited_seconds: number
  /** For each rule of the queue, how many other waiting parties pass and fail it. */
  readonly rules: readonly ({
    /** The rule's type. */
    readonly type: string
    /** The field of player states that it compares. */
    readonly field: string
    /** So many suit by this rule. */
    readonly passing: number
    /** So many do not. */
    readonly failing: number
  })[]
  /** So many suit by every rule. */
  readonly fitting_all: number
  /** How many of the other waiting parties were looked at. Up to 256 of them all are; of more, or of very large ones, some that were chosen by chance, and the counts are scaled up to all: a share is then right within 7 points, 19 times of 20. The others are as they were within the last second. */
  readonly sampled: number
  /** Seats for which nobody is there yet. */
  readonly missing: readonly ({
    /** The team. */
    readonly team: string
    /** The role in it; null where the queue has none. */
    readonly role: string | null
    /** So many players are missing. */
    readonly players: number
  })[]
  /** A rule loosens in so many seconds; null where none will. */
  readonly next_relaxation_seconds: number | null
  /** The median that parties of this size waited in the last hour, within a tenth. */
  readonly estimated_wait_seconds: number | null
  /** What keeps the lobby whoever else waits; null where nothing does. */
  readonly held_by: 'proposal' | 'plan_limit' | null
}

export interface AssignedServer {
  readonly instance_id: string
  readonly match_id: string
  readonly region: Region
  readonly status: 'running'
  readonly network_ports: readonly PortMapping[]
  /** Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data: JsonObject
  /** base64url of 32 bytes: by these the server verifies its players' join tokens, HS256. */
  readonly join_token_key: string
}

export interface AssignedPort {
  readonly name: string
  readonly protocol?: 'udp' | 'tcp' | undefined
  readonly port: number
}

/** What a game server lets a player in by. */
export interface JoinToken {
  /** A JWT, HS256 by `join_token_key`: `aud` match, `sub` player, `instance_id`, `team`, `role`. */
  readonly token: string
  /** Good until then, ISO 8601. */
  readonly expires_at: string
}

/** What is known of a player. */
export interface FoundPlayer {
  /** The player. */
  readonly player_id: string
  /** Where the player is now, the newest first. */
  readonly lobbies: readonly Lobby[]
  /** What the player played last, the newest first: at most 20. */
  readonly matches: readonly Match[]
  /** How the player's lobbies came back to `waiting`, the last first: at most 20. */
  readonly last_exits: readonly PlayerExit[]
}

/** How a lobby of a player came back to `waiting`. */
export interface PlayerExit {
  /** What happened. */
  readonly reason: 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable' | 'launch_failed' | 'no_room' | 'build_missing' | 'match_ended' | 'server_stopped' | 'server_failed' | 'server_expired' | 'backend_ended'
  /** A sentence for a developer. */
  readonly detail: string
  /** When, ISO 8601. */
  readonly at: string
  /** The lobby. */
  readonly lobby_id: string
  /** The queue that it was in. */
  readonly queue_id: string
}

export interface ProjectProblem {
  readonly code: 'launches_failed' | 'build_not_ready' | 'plan_limit_reached' | 'webhook_disabled' | 'servers_crashed' | 'node_silent' | 'players_wait' | 'waiting_for_room' | 'webhook_failing' | 'build_failed' | 'plan_limit_near'
  readonly severity: 'error' | 'warning'
  readonly sentence: string
  readonly subject: {
    readonly kind: 'queue' | 'server' | 'build' | 'webhook' | 'node' | 'account'
    readonly id: string
  }
  readonly since: string
  readonly count: number
  readonly details: {
    readonly cause?: string
    readonly version_tag?: string
    readonly instance_ids?: readonly string[]
    readonly rule?: {
      readonly type: string
      readonly field: string
      readonly rejected_share: number
    }
    readonly url?: string
    readonly limit?: string
    readonly allowed?: number
    readonly used?: number
  }
}

export type WebhookWithSecret = Webhook & {
  /** The secret, this once; not in a replayed answer. */
  readonly secret?: string
}

export interface Webhook {
  readonly webhook_id: string
  readonly url: string
  readonly types: readonly ('match.found' | 'match.started' | 'match.ended' | 'match.backfilled' | 'lobby.deleted' | 'server.running' | 'server.stopped' | 'server.failed' | 'build.ready' | 'build.failed')[]
  readonly description: string | null
  readonly enabled: boolean
  readonly disabled_reason: 'gone' | 'failing' | null
  readonly created_at: string
  readonly updated_at: string
}

export interface Delivery {
  readonly delivery_id: string
  readonly webhook_id: string
  /** The `webhook-id` of every attempt. */
  readonly message_id: string
  readonly type: string
  readonly status: 'pending' | 'delivered' | 'failed'
  readonly attempts: readonly ({
    readonly at: string
    readonly status_code: number | null
    readonly error: string | null
    readonly duration_ms: number
  })[]
  readonly next_attempt_at: string | null
  readonly created_at: string
}

export interface ProjectsCreateBody {
  readonly name: string
}

export interface ProjectsSetPlayerAuthBody {
  readonly mode: 'trusted' | 'signed'
  readonly issuers?: readonly PlayerIssuerSettings[] | undefined
}

export interface KeysMintBody {
  readonly type: 'client' | 'server'
  readonly name?: string | undefined
  /** Seconds. */
  readonly expires_in?: number | undefined
}

export interface BuildsCreateUploadBody {
  readonly name: string
  readonly executable_path: string
}

export interface BuildsRegisterImageBody {
  readonly name: string
  readonly image_url: string
}

export interface ServersSelfBackfillBody {
  readonly teams?: readonly ({
    readonly name: string
    readonly open: number
  })[] | undefined
  readonly players?: readonly ({
    readonly player_id: string
    /** Free-form, at most 16 kB and 16 levels deep. */
    readonly state: JsonObject
  })[] | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
}

export interface ServersCreateBody {
  readonly version_tag: string
  readonly region?: Region | undefined
  readonly tier?: Tier | undefined
  readonly network_ports?: readonly PortRequest[] | undefined
  /** Split like a shell would quote; no shell sees it. Then ${PORT_<NAME>}, ${INSTANCE_ID}, ${MATCH_ID}, ${REGION} and ${SVC_CONFIG_FILE} are replaced; $${ is the text ${. */
  readonly startup_args?: string | undefined
  /** What makes the server run: its ports (every TCP port accepts, every UDP port is bound by it; the default), its own call alone, or having stayed up for a second. Its own call always does. */
  readonly readiness?: 'port' | 'self' | 'uptime' | undefined
  /** Seconds. */
  readonly ttl?: number | undefined
  readonly auto_restart?: boolean | undefined
  /** Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data?: JsonObject | undefined
  readonly name?: string | undefined
}

export interface QueuesCreateBody {
  readonly queue_id: string
  readonly name: string
  readonly enabled?: boolean | undefined
  readonly max_players?: number | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
  readonly heartbeat?: boolean | undefined
  /** Seconds. */
  readonly heartbeat_timeout?: number | undefined
  readonly host_leave_behavior?: 'promote' | 'delete' | undefined
  /** Seconds. */
  readonly lobby_ttl?: number | undefined
  readonly invite_code_config?: InviteCodeConfig | undefined
  readonly server_settings?: ServerSettings | undefined
  readonly matchmaking?: Matchmaking | undefined
  /** Fields of player states that clients may not write: they come from a player token or from your backend. */
  readonly trusted_fields?: readonly string[] | undefined
}

export interface QueuesUpdateBody {
  readonly name?: string | undefined
  readonly enabled?: boolean | undefined
  readonly max_players?: number | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
  readonly heartbeat?: boolean | undefined
  /** Seconds. */
  readonly heartbeat_timeout?: number | undefined
  readonly host_leave_behavior?: 'promote' | 'delete' | undefined
  /** Seconds. */
  readonly lobby_ttl?: number | undefined
  readonly invite_code_config?: InviteCodeConfig | undefined
  readonly server_settings?: ServerSettings | undefined
  readonly matchmaking?: Matchmaking | undefined
  /** Fields of player states that clients may not write: they come from a player token or from your backend. */
  readonly trusted_fields?: readonly string[] | undefined
}

export interface QueuesRestoreBody {
  readonly version: number
}

export interface MatchesAssignBody {
  /** Address to connect to: a name or an IP address. */
  readonly host: string
  readonly ports: readonly AssignedPort[]
  readonly region?: Region | undefined
  /** Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data?: JsonObject | undefined
}

export interface MatchesBackfillBody {
  readonly teams?: readonly ({
    readonly name: string
    readonly open: number
  })[] | undefined
  readonly players?: readonly ({
    readonly player_id: string
    /** Free-form, at most 16 kB and 16 levels deep. */
    readonly state: JsonObject
  })[] | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
}

export interface WebhooksCreateBody {
  readonly url: string
  readonly types?: readonly ('match.found' | 'match.started' | 'match.ended' | 'match.backfilled' | 'lobby.deleted' | 'server.running' | 'server.stopped' | 'server.failed' | 'build.ready' | 'build.failed')[] | undefined
  readonly description?: string | null | undefined
}

export interface WebhooksUpdateBody {
  readonly url?: string | undefined
  readonly types?: readonly ('match.found' | 'match.started' | 'match.ended' | 'match.backfilled' | 'lobby.deleted' | 'server.running' | 'server.stopped' | 'server.failed' | 'build.ready' | 'build.failed')[] | undefined
  readonly enabled?: boolean | undefined
  readonly description?: string | null | undefined
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
  | 'SERVER_NOT_FOUND'
  | 'INVALID_SERVER_STATE'
  | 'SERVER_LAUNCH_FAILED'
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
  | 'QUEUE_NOT_FOUND'
  | 'QUEUE_DISABLED'
  | 'QUEUE_EXISTS'
  | 'QUEUE_IN_USE'
  | 'QUEUE_VERSION_NOT_FOUND'
  | 'MATCHMAKING_NOT_CONFIGURED'
  | 'PARTY_TOO_LARGE'
  | 'PARTY_CANNOT_MATCH'
  | 'MATCH_NOT_FOUND'
  | 'INVALID_MATCH_STATE'
  | 'NO_PROPOSAL'
  | 'PROPOSAL_CHANGED'
  | 'PLAYER_COOLING_DOWN'
  | 'BACKFILL_NOT_FOUND'
  | 'PLAN_LIMIT_EXCEEDED'
  | 'PAYMENT_METHOD_REQUIRED'
  | 'INVALID_PLAN_CHANGE'
  | 'PROJECT_NOT_FOUND'
  | 'PROJECT_HAS_RUNNING_SERVERS'
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
