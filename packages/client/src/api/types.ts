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
  /** Items of this page. */
  readonly data: readonly T[]
}

/** A developer account. */
export interface Account {
  /** Its id. */
  readonly id: string
  /** With it the developer logs in. */
  readonly email: string
  /** For people to read. */
  readonly name: string
  /** What the account may do: `GET /v1/billing/plan` tells it in full. */
  readonly plan: 'free' | 'payg' | 'pro'
  /** On accounts that the operator made, which pay nothing; absent on all others. */
  readonly tariff?: 'self_hosted'
  /** When it was made. */
  readonly created_at: string
  /** When it changed last. */
  readonly updated_at: string
}

/** What a game or a backend calls with. */
export interface ApiKey {
  /** Its id. */
  readonly key_id: string
  /** The project that it is of. */
  readonly project_id: string
  /** `client`: for games, and seen by everybody. `server`: for backends. */
  readonly type: 'client' | 'server'
  /** For people to read. */
  readonly name: string
  /** How its value ends. */
  readonly last4: string
  /** When it was made. */
  readonly created_at: string
  /** When it was revoked; null where it was not. */
  readonly revoked_at: string | null
  /** It is refused from then on; null where it holds for ever. */
  readonly expires_at: string | null
}

/** A lobby that entered a queue, and how that ended. */
export interface Arrival {
  /** Its id. */
  readonly arrival_id: string
  /** The lobby. */
  readonly lobby_id: string
  /** When it entered. */
  readonly entered_at: string
  /** When that ended; null while it searches. */
  readonly left_at: string | null
  /** How that ended; null while it searches. */
  readonly outcome: 'matched' | 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable' | 'deleted' | null
  /** Its match; null where none was made. */
  readonly match_id: string | null
  /** So many seconds it searched; null while it does. */
  readonly wait_seconds: number | null
  /** Where it asked to play; null where it did not. */
  readonly region: Region | null
  /** Its players, as they were when they entered. */
  readonly players: readonly ({
    /** The player. */
    readonly player_id: string
    /** What matchmaking read of it when the stay ended: the fields of the rules, roles, and the version where one is shared. Free-form, at most 16 kB and 16 levels deep. */
    readonly state: JsonObject
  })[]
}

/** Who came to a queue, a page of it. */
export interface Arrivals {
  /** Whether there is a page after this one. */
  readonly has_more: boolean
  /** What is on this page. */
  readonly data: readonly Arrival[]
  /** Where the next page begins; null where there is none. */
  readonly next_cursor: string | null
}

/** A port of a server of your own. */
export interface AssignedPort {
  /** As players ask for it. */
  readonly name: string
  /** What is spoken on it. */
  readonly protocol?: 'udp' | 'tcp' | undefined
  /** The port that players connect to. */
  readonly port: number
}

/** Where a match is played, on a server of your own. */
export interface AssignedServer {
  /** Its id: `ext_` and the ULID of the match. */
  readonly instance_id: string
  /** The match that is played on it. */
  readonly match_id: string
  /** Where it is played. */
  readonly region: Region
  /** It is `running` from the moment it is told. */
  readonly status: 'running'
  /** Where players connect. */
  readonly network_ports: readonly PortMapping[]
  /** What you sent. Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data: JsonObject
  /** base64url of 32 bytes: by these the server verifies its players' join tokens, HS256. */
  readonly join_token_key: string
}

/** Open seats of a running match, for which players are looked for. */
export interface Backfill {
  /** The match. */
  readonly match_id: string
  /** It is over once the seats are taken. */
  readonly status: 'searching'
  /** The teams with open seats. */
  readonly teams: readonly ({
    /** The team. */
    readonly name: string
    /** So many seats are open. */
    readonly open: number
    /** Seats by role, where teams have roles. */
    readonly roles?: { readonly [name: string]: number }
  })[]
  /** When it is given up. */
  readonly expires_at: string
  /** When it was made. */
  readonly created_at: string
}

/** Whether open seats of running matches are filled, and when. */
export interface BackfillSettings {
  /** A running match that is left short asks by itself. */
  readonly automatic?: boolean | undefined
  /** Open seats are served before new matches are made, or from what those leave. */
  readonly priority?: 'after' | 'before' | undefined
  /** After so long a request is given up; 300 unless said. Seconds. */
  readonly timeout?: number | undefined
}

/** A program that game servers run. */
export interface Build {
  /** Its id. */
  readonly build_id: string
  /** What servers reference as `version_tag`. */
  readonly name: string
  /** The first of a name is 1, and each upload the next. */
  readonly version: number
  /** `ready` once servers can run it. */
  readonly status: 'uploading' | 'processing' | 'ready' | 'failed' | 'deleted'
  /** An archive, or a container image. */
  readonly build_type: 'zip' | 'docker_image'
  /** Whether it launches nothing new. The servers that run it go on. */
  readonly disabled: boolean
  /** When it was made. */
  readonly created_at: string
  /** When it changed last. */
  readonly updated_at: string
  /** `zip` only. */
  readonly executable_path?: string
  /** `docker_image` only. */
  readonly image_url?: string
  /** Why it is `failed`; null where it is not. */
  readonly error_message: string | null
}

/** What processing a build said. */
export interface BuildLogs {
  /** The build. */
  readonly build_id: string
  /** Line by line, the first one first. */
  readonly logs: readonly ({
    /** When. */
    readonly timestamp: string
    /** How grave it is. */
    readonly level: 'info' | 'warn' | 'error'
    /** What it said. */
    readonly message: string
  })[]
}

/** A new project, with its keys. */
export interface CreatedProject {
  /** Its id. */
  readonly project_id: string
  /** Whose it is. */
  readonly account_id: string
  /** For people to read. */
  readonly name: string
  /** Its name, as it stands in addresses. */
  readonly slug: string
  /** When it was made. */
  readonly created_at: string
  /** When it changed last. */
  readonly updated_at: string
  /** A client key and a server key, each with its value, this once. */
  readonly keys: readonly MintedApiKey[]
}

/** A message to a webhook, and what became of it. */
export interface Delivery {
  /** Its id. */
  readonly delivery_id: string
  /** To whom. */
  readonly webhook_id: string
  /** The `webhook-id` of every attempt. */
  readonly message_id: string
  /** What happened. */
  readonly type: string
  /** Whether it has come; it is tried again while it is `pending`. */
  readonly status: 'pending' | 'delivered' | 'failed'
  /** Each try, the first one first. */
  readonly attempts: readonly ({
    /** When. */
    readonly at: string
    /** What was answered; null where nothing was. */
    readonly status_code: number | null
    /** What was wrong; null where nothing was. */
    readonly error: string | null
    /** How long it took, in milliseconds. */
    readonly duration_ms: number
  })[]
  /** When it is tried again; null where it is not. */
  readonly next_attempt_at: string | null
  /** When it was made. */
  readonly created_at: string
}

/** Every error that the service answers. */
export interface ErrorIndex {
  /** Every error, by its number. */
  readonly errors: readonly ({
    /** The stable identity of the error. */
    readonly code: 'INVALID_API_KEY' | 'MISSING_CREDENTIALS' | 'INVALID_SESSION_TOKEN' | 'SESSION_EXPIRED' | 'CREDENTIAL_NOT_ALLOWED' | 'PLAYER_ID_REQUIRED' | 'INVALID_PLAYER_ID' | 'INVALID_LOGIN' | 'EMAIL_TAKEN' | 'PLAYER_TOKEN_REQUIRED' | 'INVALID_PLAYER_TOKEN' | 'REGISTRATION_CLOSED' | 'SERVER_NOT_FOUND' | 'INVALID_SERVER_STATE' | 'SERVER_LAUNCH_FAILED' | 'BUILD_NOT_FOUND' | 'BUILD_NOT_READY' | 'BUILD_IN_USE' | 'UPLOAD_REJECTED' | 'LOBBY_NOT_FOUND' | 'LOBBY_FULL' | 'PLAYER_NOT_IN_LOBBY' | 'NOT_HOST' | 'INVALID_INVITE_CODE' | 'PLAYER_STATE_FORBIDDEN' | 'INVALID_LOBBY_STATE' | 'LOBBY_NOT_ACCEPTING' | 'INVITE_CODES_EXHAUSTED' | 'PLAYER_BANNED' | 'BAN_NOT_FOUND' | 'BAN_LIMIT' | 'QUEUE_NOT_FOUND' | 'QUEUE_DISABLED' | 'QUEUE_EXISTS' | 'QUEUE_IN_USE' | 'QUEUE_VERSION_NOT_FOUND' | 'MATCHMAKING_NOT_CONFIGURED' | 'PARTY_TOO_LARGE' | 'PARTY_CANNOT_MATCH' | 'MATCH_NOT_FOUND' | 'INVALID_MATCH_STATE' | 'NO_PROPOSAL' | 'PROPOSAL_CHANGED' | 'PLAYER_COOLING_DOWN' | 'BACKFILL_NOT_FOUND' | 'PLAN_LIMIT_EXCEEDED' | 'PAYMENT_METHOD_REQUIRED' | 'INVALID_PLAN_CHANGE' | 'PROJECT_NOT_FOUND' | 'PROJECT_HAS_RUNNING_SERVERS' | 'VALIDATION_FAILED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'RATE_LIMITED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'UNAVAILABLE' | 'CONFLICT' | 'INTERNAL' | 'IDEMPOTENCY_MISMATCH' | 'KEY_NOT_FOUND' | 'KEY_REVOKED' | 'WEBHOOK_NOT_FOUND' | 'WEBHOOK_ADDRESS_REFUSED' | 'WEBHOOK_LIMIT'
    /** Its number, which is as stable. */
    readonly number: number
    /** The status under which it is answered. */
    readonly status: number
    /** What it means, in a sentence. */
    readonly title: string
    /** The path of its page. */
    readonly page: string
  })[]
}

/** All that is said of an error. */
export interface ErrorPage {
  /** The stable identity of the error. */
  readonly code: 'INVALID_API_KEY' | 'MISSING_CREDENTIALS' | 'INVALID_SESSION_TOKEN' | 'SESSION_EXPIRED' | 'CREDENTIAL_NOT_ALLOWED' | 'PLAYER_ID_REQUIRED' | 'INVALID_PLAYER_ID' | 'INVALID_LOGIN' | 'EMAIL_TAKEN' | 'PLAYER_TOKEN_REQUIRED' | 'INVALID_PLAYER_TOKEN' | 'REGISTRATION_CLOSED' | 'SERVER_NOT_FOUND' | 'INVALID_SERVER_STATE' | 'SERVER_LAUNCH_FAILED' | 'BUILD_NOT_FOUND' | 'BUILD_NOT_READY' | 'BUILD_IN_USE' | 'UPLOAD_REJECTED' | 'LOBBY_NOT_FOUND' | 'LOBBY_FULL' | 'PLAYER_NOT_IN_LOBBY' | 'NOT_HOST' | 'INVALID_INVITE_CODE' | 'PLAYER_STATE_FORBIDDEN' | 'INVALID_LOBBY_STATE' | 'LOBBY_NOT_ACCEPTING' | 'INVITE_CODES_EXHAUSTED' | 'PLAYER_BANNED' | 'BAN_NOT_FOUND' | 'BAN_LIMIT' | 'QUEUE_NOT_FOUND' | 'QUEUE_DISABLED' | 'QUEUE_EXISTS' | 'QUEUE_IN_USE' | 'QUEUE_VERSION_NOT_FOUND' | 'MATCHMAKING_NOT_CONFIGURED' | 'PARTY_TOO_LARGE' | 'PARTY_CANNOT_MATCH' | 'MATCH_NOT_FOUND' | 'INVALID_MATCH_STATE' | 'NO_PROPOSAL' | 'PROPOSAL_CHANGED' | 'PLAYER_COOLING_DOWN' | 'BACKFILL_NOT_FOUND' | 'PLAN_LIMIT_EXCEEDED' | 'PAYMENT_METHOD_REQUIRED' | 'INVALID_PLAN_CHANGE' | 'PROJECT_NOT_FOUND' | 'PROJECT_HAS_RUNNING_SERVERS' | 'VALIDATION_FAILED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'RATE_LIMITED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'UNAVAILABLE' | 'CONFLICT' | 'INTERNAL' | 'IDEMPOTENCY_MISMATCH' | 'KEY_NOT_FOUND' | 'KEY_REVOKED' | 'WEBHOOK_NOT_FOUND' | 'WEBHOOK_ADDRESS_REFUSED' | 'WEBHOOK_LIMIT'
  /** Its number, which is as stable. */
  readonly number: number
  /** The status under which it is answered. */
  readonly status: number
  /** What it means, in a sentence. */
  readonly title: string
  /** What happened, and how one comes to it. Code stands between backticks. */
  readonly happened: string
  /** What to do about it. */
  readonly mend: string
  /** What `details` holds; null where it is empty. */
  readonly details: string | null
  /** What becomes of the same request sent again. */
  readonly retry: 'in-vain' | 'when-changed' | 'after-a-pause' | 'at-once' | 'in-time' | 'in-doubt' | 'never-answered'
  /** The same in a sentence. */
  readonly retry_words: string
  /** The operations that may be refused so. */
  readonly operations: readonly ({
    /** Its id in the OpenAPI document. */
    readonly operation: string
    /** In capitals. */
    readonly method: string
    /** As the document writes it. */
    readonly path: string
  })[]
  /** Where it is met beside them; null where nowhere. */
  readonly also: string | null
  /** What it is taken for, or what comes next. */
  readonly near: readonly ('INVALID_API_KEY' | 'MISSING_CREDENTIALS' | 'INVALID_SESSION_TOKEN' | 'SESSION_EXPIRED' | 'CREDENTIAL_NOT_ALLOWED' | 'PLAYER_ID_REQUIRED' | 'INVALID_PLAYER_ID' | 'INVALID_LOGIN' | 'EMAIL_TAKEN' | 'PLAYER_TOKEN_REQUIRED' | 'INVALID_PLAYER_TOKEN' | 'REGISTRATION_CLOSED' | 'SERVER_NOT_FOUND' | 'INVALID_SERVER_STATE' | 'SERVER_LAUNCH_FAILED' | 'BUILD_NOT_FOUND' | 'BUILD_NOT_READY' | 'BUILD_IN_USE' | 'UPLOAD_REJECTED' | 'LOBBY_NOT_FOUND' | 'LOBBY_FULL' | 'PLAYER_NOT_IN_LOBBY' | 'NOT_HOST' | 'INVALID_INVITE_CODE' | 'PLAYER_STATE_FORBIDDEN' | 'INVALID_LOBBY_STATE' | 'LOBBY_NOT_ACCEPTING' | 'INVITE_CODES_EXHAUSTED' | 'PLAYER_BANNED' | 'BAN_NOT_FOUND' | 'BAN_LIMIT' | 'QUEUE_NOT_FOUND' | 'QUEUE_DISABLED' | 'QUEUE_EXISTS' | 'QUEUE_IN_USE' | 'QUEUE_VERSION_NOT_FOUND' | 'MATCHMAKING_NOT_CONFIGURED' | 'PARTY_TOO_LARGE' | 'PARTY_CANNOT_MATCH' | 'MATCH_NOT_FOUND' | 'INVALID_MATCH_STATE' | 'NO_PROPOSAL' | 'PROPOSAL_CHANGED' | 'PLAYER_COOLING_DOWN' | 'BACKFILL_NOT_FOUND' | 'PLAN_LIMIT_EXCEEDED' | 'PAYMENT_METHOD_REQUIRED' | 'INVALID_PLAN_CHANGE' | 'PROJECT_NOT_FOUND' | 'PROJECT_HAS_RUNNING_SERVERS' | 'VALIDATION_FAILED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'RATE_LIMITED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'UNAVAILABLE' | 'CONFLICT' | 'INTERNAL' | 'IDEMPOTENCY_MISMATCH' | 'KEY_NOT_FOUND' | 'KEY_REVOKED' | 'WEBHOOK_NOT_FOUND' | 'WEBHOOK_ADDRESS_REFUSED' | 'WEBHOOK_LIMIT')[]
  /** It as it was answered once; null of what is no answer. */
  readonly example: {
    /** Of the request. */
    readonly method: string
    /** Of the request. */
    readonly path: string
    /** Of the request, what mattered; secrets are cut off. */
    readonly sent_headers: { readonly [name: string]: string }
    /** Of the request; absent where there was none. */
    readonly body?: unknown
    /** Those of the answer that say what to do. */
    readonly headers: { readonly [name: string]: string }
    /** The problem document. */
    readonly answer: JsonObject
  } | null
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
  /** Whether there are more lobbies or matches than are told. */
  readonly has_more: boolean
}

/** Codes by which others join. */
export interface InviteCodeConfig {
  /** Whether lobbies have one. */
  readonly enabled?: boolean | undefined
  /** So many characters stand behind the prefix. */
  readonly length?: number | undefined
  /** Characters of the random part: `alphanumeric` is upper-case letters and digits; `alphanumeric` and `alphabetic` leave out look-alikes (0 O, 1 I L). */
  readonly charset?: 'alphanumeric' | 'numeric' | 'alphabetic' | undefined
  /** Stands before the random part. */
  readonly prefix?: string | undefined
}

/** What a game server lets a player in by. */
export interface JoinToken {
  /** A JWT, HS256 by `join_token_key`: `aud` match, `sub` player, `instance_id`, `team`, `role`. */
  readonly token: string
  /** It lets nobody in from then on. */
  readonly expires_at: string
}

/** A lobby, spelled as the service spells it. */
export interface Lobby {
  /** Its id. */
  readonly lobby_id: string
  /** The queue that it is in. */
  readonly queue_id: string
  /** `waiting`; `in_queue`: it searches; `matched` or `starting`: its server starts; `in_game`: its match is played. */
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
  /** The host's own, the mode or the map for example; replaced whole. The first 16 keys can be searched by. Free-form, at most 16 kB and 16 levels deep. */
  readonly settings: JsonObject
  /** Where its match is played; null until the server has ports, and again once the match is over. */
  readonly server: ServerSummary | null
  /** Its match; null while there is none. */
  readonly match_id: string | null
  /** A match that its players are asked about; absent while there is none. */
  readonly proposal?: Proposal
  /** Why it came back to `waiting` the last time; null once it has entered again. */
  readonly last_exit: LobbyExit | null
  /** The ids of players whom it keeps out; for members and server keys, absent for others. */
  readonly banned?: readonly string[]
  /** Grows by one with every change; the id of its event. */
  readonly version: number
  /** When it was made. */
  readonly created_at: string
  /** When it changed last. */
  readonly updated_at: string
}

/** How a lobby came back to `waiting`. */
export interface LobbyExit {
  /** What happened; act on it. */
  readonly reason: 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable' | 'launch_failed' | 'no_room' | 'build_missing' | 'match_ended' | 'server_stopped' | 'server_failed' | 'server_expired' | 'backend_ended' | 'matched_elsewhere' | 'banned' | 'match_expired'
  /** A sentence for a developer. */
  readonly detail: string
  /** When. */
  readonly at: string
}

/** A match. */
export interface Match {
  /** Its id. */
  readonly match_id: string
  /** The queue that it was made in. */
  readonly queue_id: string
  /** `proposed`: its players are asked; `launching`: its server starts; `running`: it is played; `ended`. */
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
  /** The open seats for which players are looked for; absent while none are, and for client keys. */
  readonly backfill?: {
    /** The teams with open seats. */
    readonly teams: readonly ({
      /** The team. */
      readonly name: string
      /** So many seats are open. */
      readonly open: number
      /** Seats by role, where teams have roles. */
      readonly roles?: { readonly [name: string]: number }
    })[]
    /** When it is given up. */
    readonly expires_at: string
  }
  /** When it was made. */
  readonly created_at: string
  /** When its players could play; null where it never came to that. */
  readonly started_at: string | null
  /** When it ended; null while it goes on. */
  readonly ended_at: string | null
  /** Why it ended, in the words of `last_exit`; null while it goes on. */
  readonly end_reason: 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable' | 'launch_failed' | 'no_room' | 'build_missing' | 'match_ended' | 'server_stopped' | 'server_failed' | 'server_expired' | 'backend_ended' | 'matched_elsewhere' | 'banned' | 'match_expired' | null
  /** The exit code of its server's process, where the end of that ended the match; null otherwise, and for client keys. */
  readonly exit_code: number | null
  /** The signal that ended that process, such as `SIGSEGV`; null otherwise, and for client keys. */
  readonly exit_signal: string | null
}

/** What must be so between players who meet. See docs/matchmaking.md of the service. */
export type MatchRule = 
  | {
    /** Which rule it is. */
    readonly type: 'difference'
    /** The key of player states that it reads. */
    readonly field: string
    /** The values are at most so far from each other. */
    readonly max_difference: number
    /** Whether a player whose state lacks the field may not enter the queue; `false` unless said: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** How it loosens while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Which rule it is. */
    readonly type: 'equals'
    /** The key of player states that it reads. */
    readonly field: string
    /** Whether a player whose state lacks the field may not enter the queue; `false` unless said: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** How it loosens while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Which rule it is. */
    readonly type: 'region'
    /** The key of player states that it reads; `regions` unless said. */
    readonly field?: string | undefined
    /** So many values they must have in common. */
    readonly min_overlap?: number | undefined
    /** Whether a player whose state lacks the field may not enter the queue; `false` unless said: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** How it loosens while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Which rule it is. */
    readonly type: 'not_equals'
    /** The key of player states that it reads. */
    readonly field: string
    /** Whether a player whose state lacks the field may not enter the queue; `false` unless said: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** How it loosens while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Which rule it is. */
    readonly type: 'min'
    /** The key of player states that it reads. */
    readonly field: string
    /** The bound. */
    readonly value: number
    /** Whether a player whose state lacks the field may not enter the queue; `false` unless said: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** How it loosens while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Which rule it is. */
    readonly type: 'max'
    /** The key of player states that it reads. */
    readonly field: string
    /** The bound. */
    readonly value: number
    /** Whether a player whose state lacks the field may not enter the queue; `false` unless said: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** How it loosens while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Which rule it is. */
    readonly type: 'intersection'
    /** The key of player states that it reads. */
    readonly field: string
    /** So many values they must have in common. */
    readonly min_overlap?: number | undefined
    /** Whether a player whose state lacks the field may not enter the queue; `false` unless said: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** How it loosens while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Which rule it is. */
    readonly type: 'team_difference'
    /** The key of player states that it reads. */
    readonly field: string
    /** The values are at most so far from each other. */
    readonly max_difference: number
    /** Whether a player whose state lacks the field may not enter the queue; `false` unless said: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** How it loosens while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }
  | {
    /** Which rule it is. */
    readonly type: 'latency'
    /** The key of player states that it reads. */
    readonly field: string
    /** Nobody is further than so many milliseconds from where it is played. */
    readonly max_ms: number
    /** Whether a player whose state lacks the field may not enter the queue; `false` unless said: such a player passes the rule. */
    readonly required?: boolean | undefined
    /** How it loosens while a party waits. */
    readonly expansions?: readonly RuleExpansion[] | undefined
  }

/** Who is matched with whom. */
export interface Matchmaking {
  /** So many teams play; 2 unless said. */
  readonly teams?: number | undefined
  /** So many players has each team; 1 unless said. */
  readonly players_per_team?: number | undefined
  /** A team may play with so few, once somebody has waited for `partial_after`; `players_per_team` unless said. */
  readonly min_players_per_team?: number | undefined
  /** So few teams may play, once somebody has waited for `partial_after`; `teams` unless said. */
  readonly min_teams?: number | undefined
  /** Largest difference in players between the largest and the smallest team of a short match; 0 demands equal teams. Null, or left out: any number. */
  readonly max_size_difference?: number | null | undefined
  /** Roles by team, and how many players of each. */
  readonly team_composition?: { readonly [name: string]: { readonly [name: string]: number } } | undefined
  /** Whether only players with the same `game_version` in their states meet; `false` unless said. */
  readonly use_version_from_state?: boolean | undefined
  /** The versions that may search. */
  readonly allowed_versions?: readonly string[] | undefined
  /** After so long a search is given up; the smaller of this and the queue's own counts. Seconds. */
  readonly timeout?: number | undefined
  /** How players are asked before a match is made; where it is left out nobody is asked. */
  readonly ready_check?: ReadyCheck | undefined
  /** Largest number of players who search together; default: the size of the largest team. */
  readonly max_party_size?: number | undefined
  /** So many seconds somebody must have waited before fewer players or teams than a full match are enough; 5 unless said. */
  readonly partial_after?: number | undefined
  /** Whose waiting loosens the rules of a match: that of who waits longest (`oldest`, unless said), or of who came last (`newest`). */
  readonly expansion_age?: 'oldest' | 'newest' | undefined
  /** What must be so between players who meet. */
  readonly rules?: readonly MatchRule[] | undefined
  /** How running matches get newcomers for their open seats. */
  readonly backfill?: BackfillSettings | undefined
}

/** A key, with its value. */
export interface MintedApiKey {
  /** Its id. */
  readonly key_id: string
  /** The project that it is of. */
  readonly project_id: string
  /** `client`: for games, and seen by everybody. `server`: for backends. */
  readonly type: 'client' | 'server'
  /** For people to read. */
  readonly name: string
  /** How its value ends. */
  readonly last4: string
  /** When it was made. */
  readonly created_at: string
  /** When it was revoked; null where it was not. */
  readonly revoked_at: string | null
  /** It is refused from then on; null where it holds for ever. */
  readonly expires_at: string | null
  /** The value, this once; not in a replayed answer. */
  readonly key?: string
}

/** What an account may do, and how it pays. */
export interface PlanStatus {
  /** The plan of now. */
  readonly plan: 'free' | 'payg' | 'pro'
  /** On accounts that the operator made, which pay nothing; absent on all others. */
  readonly tariff?: 'self_hosted'
  /** What the account may do, over all its projects. */
  readonly limits: {
    /** So many servers at a time; -1 is unlimited. */
    readonly max_concurrent_servers: number
    /** The largest server. */
    readonly max_tier: string
    /** So many seconds a server lives at the most; -1 is unlimited. */
    readonly max_server_ttl: number
    /** Where servers may run. */
    readonly regions: readonly ('ams' | 'arn' | 'bom' | 'cdg' | 'dfw' | 'ewr' | 'fra' | 'iad' | 'lax' | 'lhr' | 'nrt' | 'ord' | 'sin' | 'sjc' | 'syd' | 'yyz')[]
    /** So many builds that are neither failed nor deleted; -1 is unlimited. */
    readonly max_builds: number
    /** Whether there may be queues. */
    readonly queues_enabled: boolean
    /** Whether there may be lobbies. */
    readonly lobbies_enabled: boolean
    /** Whether lobbies may search. */
    readonly matchmaking_enabled: boolean
    /** Whether the plan needs a card on file. */
    readonly payment_method_required: boolean
  }
  /** When the month began, UTC. */
  readonly current_period_start: string
  /** When it ends: a pending plan begins then. */
  readonly current_period_end: string
  /** The plan after this period; null where it stays. */
  readonly pending_plan: 'free' | 'payg' | 'pro' | null
  /** The card on file; null where there is none. */
  readonly payment_method: {
    /** What it is. */
    readonly type: 'card'
    /** Whose card it is. */
    readonly brand: string
    /** How its number ends. */
    readonly last4: string
    /** The month in which it runs out, 1 to 12. */
    readonly exp_month: number
    /** The year in which it runs out. */
    readonly exp_year: number
  } | null
}

/** A player in a lobby. */
export interface Player {
  /** The id. */
  readonly player_id: string
  /** Whether it is the host. */
  readonly is_host: boolean
  /** When it came. */
  readonly joined_at: string
  /** The player's own: what rules compare, and what else the game keeps there. Free-form, at most 16 kB and 16 levels deep. */
  readonly state: JsonObject
}

/** How the players of a project prove who they are. */
export interface PlayerAuth {
  /** `trusted`: a game says it itself. `signed`: by a token of an issuer. */
  readonly mode: 'trusted' | 'signed'
  /** Whose tokens are taken. */
  readonly issuers: readonly PlayerIssuer[]
}

/** How a lobby of a player came back to `waiting`. */
export interface PlayerExit {
  /** What happened. */
  readonly reason: 'cancelled' | 'timeout' | 'player_left' | 'declined' | 'not_answered' | 'unmatchable' | 'launch_failed' | 'no_room' | 'build_missing' | 'match_ended' | 'server_stopped' | 'server_failed' | 'server_expired' | 'backend_ended' | 'matched_elsewhere' | 'banned' | 'match_expired'
  /** A sentence for a developer. */
  readonly detail: string
  /** When. */
  readonly at: string
  /** The lobby. */
  readonly lobby_id: string
  /** The queue that it was in. */
  readonly queue_id: string
}

/** Somebody who signs for players. */
export interface PlayerIssuer {
  /** As it stands in `iss` of its tokens, letter by letter. */
  readonly issuer: string
  /** What `aud` of its tokens must name; anything where it is left out. */
  readonly audience?: string
  /** How it may sign. */
  readonly algorithms: readonly ('HS256' | 'RS256' | 'ES256' | 'EdDSA')[]
  /** Where its public keys are read, where an address was sent. */
  readonly jwks_url?: string
  /** Its public keys, where they were sent. */
  readonly jwks?: JsonObject
  /** The claim that names the player; `sub` unless said. */
  readonly player_claim: string
  /** The claim with values of `trusted_fields`; `state` unless said. */
  readonly state_claim: string
  /** base64url of 32 bytes, this once; HS256 signs with the bytes. */
  readonly secret?: string
}

/** Somebody who signs for players: with one of `jwks_url`, `jwks` and `generate_secret`, or none of them to keep the keys that it has. */
export interface PlayerIssuerSettings {
  /** As it stands in `iss` of its tokens, letter by letter. */
  readonly issuer: string
  /** What `aud` of its tokens must name; anything where it is left out. */
  readonly audience?: string | undefined
  /** How it may sign; what its keys are for unless said. */
  readonly algorithms?: readonly ('HS256' | 'RS256' | 'ES256' | 'EdDSA')[] | undefined
  /** Where its public keys are read, a JSON Web Key Set; https. */
  readonly jwks_url?: string | undefined
  /** Its public keys, a JSON Web Key Set: in place of `jwks_url`. Free-form, at most 16 kB and 16 levels deep. */
  readonly jwks?: JsonObject | undefined
  /** Draws a secret for it, which the answer shows this once. */
  readonly generate_secret?: true | undefined
  /** The claim that names the player; `sub` unless said. */
  readonly player_claim?: string | undefined
  /** The claim with values of `trusted_fields`; `state` unless said. */
  readonly state_claim?: string | undefined
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

/** A port that a game server wants. */
export interface PortRequest {
  /** The program is told it as `PORT_<NAME>`. */
  readonly name: string
  /** What is spoken on it; `udp` unless said. */
  readonly protocol?: 'udp' | 'tcp' | undefined
  /** The port as the server sees it, where it has a network of its own. */
  readonly internal_port: number
  /** Only with tcp. */
  readonly tls_enabled?: boolean | undefined
}

/** RFC 9457; `code` and `number` are the stable identity of an error. */
export interface Problem {
  /** The page of the code: `/errors/NOT_HOST`. */
  readonly type: string
  /** What the code means, in a sentence that is always the same. */
  readonly title: string
  /** The status of the answer. */
  readonly status: number
  /** What was refused; act on it. */
  readonly code: 'INVALID_API_KEY' | 'MISSING_CREDENTIALS' | 'INVALID_SESSION_TOKEN' | 'SESSION_EXPIRED' | 'CREDENTIAL_NOT_ALLOWED' | 'PLAYER_ID_REQUIRED' | 'INVALID_PLAYER_ID' | 'INVALID_LOGIN' | 'EMAIL_TAKEN' | 'PLAYER_TOKEN_REQUIRED' | 'INVALID_PLAYER_TOKEN' | 'REGISTRATION_CLOSED' | 'SERVER_NOT_FOUND' | 'INVALID_SERVER_STATE' | 'SERVER_LAUNCH_FAILED' | 'BUILD_NOT_FOUND' | 'BUILD_NOT_READY' | 'BUILD_IN_USE' | 'UPLOAD_REJECTED' | 'LOBBY_NOT_FOUND' | 'LOBBY_FULL' | 'PLAYER_NOT_IN_LOBBY' | 'NOT_HOST' | 'INVALID_INVITE_CODE' | 'PLAYER_STATE_FORBIDDEN' | 'INVALID_LOBBY_STATE' | 'LOBBY_NOT_ACCEPTING' | 'INVITE_CODES_EXHAUSTED' | 'PLAYER_BANNED' | 'BAN_NOT_FOUND' | 'BAN_LIMIT' | 'QUEUE_NOT_FOUND' | 'QUEUE_DISABLED' | 'QUEUE_EXISTS' | 'QUEUE_IN_USE' | 'QUEUE_VERSION_NOT_FOUND' | 'MATCHMAKING_NOT_CONFIGURED' | 'PARTY_TOO_LARGE' | 'PARTY_CANNOT_MATCH' | 'MATCH_NOT_FOUND' | 'INVALID_MATCH_STATE' | 'NO_PROPOSAL' | 'PROPOSAL_CHANGED' | 'PLAYER_COOLING_DOWN' | 'BACKFILL_NOT_FOUND' | 'PLAN_LIMIT_EXCEEDED' | 'PAYMENT_METHOD_REQUIRED' | 'INVALID_PLAN_CHANGE' | 'PROJECT_NOT_FOUND' | 'PROJECT_HAS_RUNNING_SERVERS' | 'VALIDATION_FAILED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'RATE_LIMITED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'UNAVAILABLE' | 'CONFLICT' | 'INTERNAL' | 'IDEMPOTENCY_MISMATCH' | 'KEY_NOT_FOUND' | 'KEY_REVOKED' | 'WEBHOOK_NOT_FOUND' | 'WEBHOOK_ADDRESS_REFUSED' | 'WEBHOOK_LIMIT'
  /** The number of the code, which is as stable. */
  readonly number: number
  /** What happened, in a sentence for a developer; its wording may change. */
  readonly detail: string
  /** Finds the request in the log of the service; `x-request-id` of the answer. */
  readonly request_id: string
  /** What a client needs to act, by the code; often empty. */
  readonly details: JsonObject
}

/** A game: its queues, builds, servers and keys. */
export interface Project {
  /** Its id. */
  readonly project_id: string
  /** Whose it is. */
  readonly account_id: string
  /** For people to read. */
  readonly name: string
  /** Its name, as it stands in addresses. */
  readonly slug: string
  /** When it was made. */
  readonly created_at: string
  /** When it changed last. */
  readonly updated_at: string
}

/** Something that is wrong in a project, and what to do about it. */
export interface ProjectProblem {
  /** Which kind of problem it is; act on it. */
  readonly code: 'launches_failed' | 'servers_crashed' | 'build_not_ready' | 'plan_limit_reached' | 'webhook_disabled' | 'node_silent' | 'players_wait' | 'waiting_for_room' | 'webhook_failing' | 'build_failed' | 'plan_limit_near'
  /** How grave it is. */
  readonly severity: 'error' | 'warning'
  /** What is wrong, for people to read. */
  readonly sentence: string
  /** What it is about. */
  readonly subject: {
    /** Which kind of thing. */
    readonly kind: 'queue' | 'server' | 'build' | 'webhook' | 'node' | 'account'
    /** Which one. */
    readonly id: string
  }
  /** Since when. */
  readonly since: string
  /** How often. */
  readonly count: number
  /** What a program needs to act. */
  readonly details: {
    /** What led to it. */
    readonly cause?: string
    /** The name of the build. */
    readonly version_tag?: string
    /** The version of that build which ran, by its id. */
    readonly build_id?: string
    /** The version of that build which ran. */
    readonly build_version?: number
    /** The servers that it is about. */
    readonly instance_ids?: readonly string[]
    /** The rule that keeps most apart. */
    readonly rule?: {
      /** The rule's type. */
      readonly type: string
      /** The field of player states that it reads. */
      readonly field: string
      /** The share of parties that it refuses, from 0 to 1. */
      readonly rejected_share: number
    }
    /** The address. */
    readonly url?: string
    /** Which limit of the plan. */
    readonly limit?: string
    /** So much the plan allows. */
    readonly allowed?: number
    /** So much is used. */
    readonly used?: number
  }
}

/** A match that players are asked about before it is made. */
export interface Proposal {
  /** The match that it would be. */
  readonly match_id: string
  /** Whoever has not answered by then is back in `waiting`. */
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

/** A queue: what its lobbies may be, who is matched with whom, and where they play. */
export interface Queue {
  /** Its id: a-z, 0-9 and _, at most 64. */
  readonly queue_id: string
  /** For people to read. */
  readonly name: string
  /** Whether lobbies are made in it, and matched. */
  readonly enabled: boolean
  /** So many players has a lobby at the most. */
  readonly max_players: number
  /** After so long a search is given up, and the lobby waits again. Seconds. */
  readonly timeout: number
  /** Whether players of whom nothing is heard leave their lobbies. */
  readonly heartbeat: boolean
  /** After so long a silence a player has left; only with `heartbeat`. Seconds. */
  readonly heartbeat_timeout: number
  /** What becomes of a lobby without its host: the next player is the host, or it is deleted. */
  readonly host_leave_behavior: 'promote' | 'delete'
  /** After so long in which nothing happens a lobby is deleted. Seconds. */
  readonly lobby_ttl: number
  /** After so long a match without a server of the service ends that nobody ended; null: never. */
  readonly match_ttl: number | null
  /** Codes by which others join its lobbies. */
  readonly invite_code_config: {
    /** Whether lobbies have one. */
    readonly enabled: boolean
    /** So many characters stand behind the prefix. */
    readonly length: number
    /** Characters of the random part: `alphanumeric` is upper-case letters and digits; `alphanumeric` and `alphabetic` leave out look-alikes (0 O, 1 I L). */
    readonly charset: 'alphanumeric' | 'numeric' | 'alphabetic'
    /** Stands before the random part. */
    readonly prefix: string
  }
  /** What the servers of matches are made from; without them matches have no server. */
  readonly server_settings?: ServerSettings
  /** Who is matched with whom; without it lobbies can only be started directly. */
  readonly matchmaking?: Matchmaking
  /** Fields of player states that clients may not write: they come from a player token or from your backend. */
  readonly trusted_fields?: readonly string[]
  /** What is allowed, and probably not meant. */
  readonly warnings?: readonly string[]
  /** When it was made. */
  readonly created_at: string
  /** When it changed last. */
  readonly updated_at: string
}

/** Why a lobby still waits. */
export interface QueueExplanation {
  /** The lobby. */
  readonly lobby_id: string
  /** For so many seconds already. */
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
  /** So many players the sides may differ by, where this alone keeps the lobby and those that suit it from a short match; else null. */
  readonly max_size_difference: number | null
  /** A rule loosens in so many seconds; null where none will. */
  readonly next_relaxation_seconds: number | null
  /** The median that parties of this size waited in the last hour, within a tenth. */
  readonly estimated_wait_seconds: number | null
  /** What keeps the lobby whoever else waits: `proposal`, its players are being asked; `plan_limit`, the account runs as many servers as its plan allows. Null where nothing does. */
  readonly held_by: 'proposal' | 'plan_limit' | null
}

/** A change of a queue. */
export interface QueueHistoryEntry {
  /** Grows with every change; `restore` takes it. */
  readonly version: number
  /** When. */
  readonly at: string
  /** Who changed it; null for what the queue was before its history began. */
  readonly by: {
    /** By what they called. */
    readonly kind: 'key' | 'session' | 'embedded'
    /** The key, or the account; null where there is none. */
    readonly id: string | null
    /** Its name; null where it has none. */
    readonly name: string | null
  } | null
  /** What was changed. */
  readonly changes: readonly ({
    /** Which setting. */
    readonly path: string
    /** Its value before. */
    readonly before?: unknown
    /** Its value now. */
    readonly after?: unknown
  })[]
  /** The whole settings, as the change left them. */
  readonly settings: QueueSettings
}

/** The settings of a queue. */
export interface QueueSettings {
  /** For people to read. */
  readonly name: string
  /** Whether lobbies are made in it, and matched. */
  readonly enabled: boolean
  /** So many players has a lobby at the most. */
  readonly max_players: number
  /** After so long a search is given up, and the lobby waits again. Seconds. */
  readonly timeout: number
  /** Whether players of whom nothing is heard leave their lobbies. */
  readonly heartbeat: boolean
  /** After so long a silence a player has left; only with `heartbeat`. Seconds. */
  readonly heartbeat_timeout: number
  /** What becomes of a lobby without its host: the next player is the host, or it is deleted. */
  readonly host_leave_behavior: 'promote' | 'delete'
  /** After so long in which nothing happens a lobby is deleted. Seconds. */
  readonly lobby_ttl: number
  /** After so long a match without a server of the service ends that nobody ended; null: never. */
  readonly match_ttl: number | null
  /** Codes by which others join its lobbies. */
  readonly invite_code_config: {
    /** Whether lobbies have one. */
    readonly enabled: boolean
    /** So many characters stand behind the prefix. */
    readonly length: number
    /** Characters of the random part: `alphanumeric` is upper-case letters and digits; `alphanumeric` and `alphabetic` leave out look-alikes (0 O, 1 I L). */
    readonly charset: 'alphanumeric' | 'numeric' | 'alphabetic'
    /** Stands before the random part. */
    readonly prefix: string
  }
  /** What the servers of matches are made from; without them matches have no server. */
  readonly server_settings?: ServerSettings
  /** Who is matched with whom; without it lobbies can only be started directly. */
  readonly matchmaking?: Matchmaking
  /** Fields of player states that clients may not write: they come from a player token or from your backend. */
  readonly trusted_fields?: readonly string[]
}

/** How a queue does. */
export interface QueueStats {
  /** So many players search. */
  readonly players_searching: number
  /** So many lobbies do. */
  readonly lobbies_searching: number
  /** Of the last 59 to 60 minutes; direct starts do not count. */
  readonly matches_last_hour: number
  /** What became of the matches that players were asked about. */
  readonly proposals_last_hour: {
    /** So many were proposed. */
    readonly made: number
    /** To so many everybody said yes. */
    readonly accepted: number
    /** To so many somebody said no. */
    readonly declined: number
    /** To so many somebody did not answer. */
    readonly expired: number
  }
  /** How lobbies of it came back to `waiting` in the last hour: a count for every reason. */
  readonly exits_last_hour: {
    /** Called off. */
    readonly cancelled: number
    /** Nobody was found in time. */
    readonly timeout: number
    /** A player left. */
    readonly player_left: number
    /** A player said no to a match. */
    readonly declined: number
    /** A player did not answer. */
    readonly not_answered: number
    /** They could not be matched any more, as the queue is now. */
    readonly unmatchable: number
    /** The match's server did not start. */
    readonly launch_failed: number
    /** There was no room for a server. */
    readonly no_room: number
    /** The queue names a build that is not there. */
    readonly build_missing: number
    /** The match was over. */
    readonly match_ended: number
    /** The match's server was ended. */
    readonly server_stopped: number
    /** The match's server failed. */
    readonly server_failed: number
    /** The match's server had lived for its `ttl`. */
    readonly server_expired: number
    /** A backend ended the match. */
    readonly backend_ended: number
    /** A player is in another match. */
    readonly matched_elsewhere: number
    /** A player is banned. */
    readonly banned: number
    /** The match ran for its `match_ttl`, and nobody ended it. */
    readonly match_expired: number
  }
  /** What the lobbies matched in the last 55 to 60 minutes waited: each figure is within a tenth of the true one (below a second, within a second), and exact where few were matched. The figures of the hour are at most a second old. */
  readonly wait_seconds: {
    /** The median, in seconds; null where nobody was matched. */
    readonly p50: number | null
    /** Nine of ten waited no longer, in seconds; null where nobody was matched. */
    readonly p90: number | null
    /** 99 of 100 waited no longer, in seconds; null where nobody was matched. */
    readonly p99: number | null
  }
  /** The same of the last 5 to 10 minutes: how long one waits now. */
  readonly recent_wait_seconds: {
    /** The median, in seconds; null where nobody was matched. */
    readonly p50: number | null
    /** Nine of ten waited no longer, in seconds; null where nobody was matched. */
    readonly p90: number | null
    /** 99 of 100 waited no longer, in seconds; null where nobody was matched. */
    readonly p99: number | null
  }
  /** So many seconds a party that enters now will probably wait; null where it cannot be said. */
  readonly estimated_wait_seconds: number | null
  /** Launches that wait until there is room. */
  readonly waiting_for_room: {
    /** So many servers. */
    readonly servers: number
    /** The first of them for so many seconds; null where there is none. */
    readonly oldest_seconds: number | null
  }
  /** Servers that were started before their match (`server_settings.warm`). */
  readonly warm: {
    /** So many wait for a match, as they were seen within the last 15 seconds. */
    readonly ready: number
    /** So many live servers of its matches had waited. */
    readonly allocated: number
  }
}

/** Whether the service can do its work. */
export interface Readiness {
  /** It is well. */
  readonly status: 'ok'
  /** With `verbose`, where the service follows the clock of a machine. */
  readonly clock?: {
    /** Milliseconds by which the machine's clock is ahead of the service's; negative where it is behind, to which the service's never goes back. */
    readonly offset_ms: number
    /** Steps of the machine's clock by more than a second since the process began. */
    readonly steps: number
  }
  /** With `verbose`. */
  readonly builds?: {
    /** Builds for which this process was asked in the last ten minutes without seeing their archive: it leaves them to other nodes. */
    readonly unseen: number
  }
}

/** How players are asked before a match is made. */
export interface ReadyCheck {
  /** They have so many seconds to answer. */
  readonly timeout: number
  /** Who declined or did not answer may not search for so many seconds; 0 unless said. */
  readonly penalty?: number | undefined
}

/** A region code. */
export type Region = 'ams' | 'arn' | 'bom' | 'cdg' | 'dfw' | 'ewr' | 'fra' | 'iad' | 'lax' | 'lhr' | 'nrt' | 'ord' | 'sin' | 'sjc' | 'syd' | 'yyz'

/** From `after_seconds` after entering the rule is this loose. */
export interface RuleExpansion {
  /** So many seconds after entering the queue this step begins. */
  readonly after_seconds: number
  /** From then on the values may be so far from each other. */
  readonly max_difference?: number | undefined
  /** From then on so many values must be had in common. */
  readonly min_overlap?: number | undefined
  /** From then on nobody is further than so many milliseconds from where it is played. */
  readonly max_ms?: number | undefined
  /** Whether the rule counts no longer from then on. */
  readonly off?: boolean | undefined
}

/** A game server. */
export interface Server {
  /** Its id. */
  readonly instance_id: string
  /** The project that it is of. */
  readonly project_id: string
  /** For people to read. */
  readonly name: string
  /** `running` is the one that takes players. */
  readonly status: 'launching' | 'running' | 'stopping' | 'stopped' | 'failed'
  /** `waiting_for_room`: its launch waits until there is room for it. */
  readonly status_reason: 'waiting_for_room' | null
  /** Where it runs. */
  readonly region: Region
  /** How large it is: cores and gigabytes. */
  readonly tier: Tier
  /** The name of the build that it runs. */
  readonly version_tag: string
  /** The very build; null until it is launched, and where it is your own. */
  readonly build_id: string | null
  /** The build's version; null as its id is. */
  readonly build_version: number | null
  /** Where it listens. */
  readonly network_ports: readonly PortMapping[]
  /** What its program was started with. */
  readonly startup_args: string
  /** What makes the server run: its ports (every TCP port accepts, every UDP port is bound by it; the default), its own call alone, or having stayed up for a second. Its own call always does. */
  readonly readiness?: 'port' | 'self' | 'uptime'
  /** It is ended after so many seconds; null where it may run for ever. */
  readonly ttl: number | null
  /** Whether it is started again when its program ends by itself. */
  readonly auto_restart: boolean
  /** For the program: it stands in its configuration file. Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data: JsonObject
  /** The match that is played on it; null where there is none. */
  readonly match_id: string | null
  /** The node of the service on which it runs, or ran last; null before its first launch. */
  readonly node_id: string | null
  /** What its program ended with; null while it runs, and where it was ended. */
  readonly exit_code: number | null
  /** Why it is over; null while it is not. */
  readonly stop_reason: string | null
  /** So often was it started again. */
  readonly restarts: number
  /** When it was made. */
  readonly created_at: string
  /** Since when it takes players; null before. */
  readonly running_at: string | null
  /** When it ended; null before. */
  readonly stopped_at: string | null
  /** When it will be ended; null where it has no `ttl`. */
  readonly expires_at: string | null
  /** When it changed last. */
  readonly updated_at: string
}

/** What a game server wrote. */
export interface ServerLogs {
  /** The server. */
  readonly instance_id: string
  /** Line by line, the first one first. */
  readonly logs: readonly ({
    /** When. */
    readonly timestamp: string
    /** Where it wrote it. */
    readonly stream: 'stdout' | 'stderr'
    /** The line. */
    readonly message: string
  })[]
  /** Whether older lines are left out because the answer would be too long. */
  readonly has_more: boolean
}

/** What game servers are made from. */
export interface ServerSettings {
  /** Who brings the server of a match: it is launched from `version_tag` (the default), or it is your own, which your backend tells by POST /v1/matches/{match_id}/server. */
  readonly source?: 'build' | 'external' | undefined
  /** The name of the build; its newest `ready` version that is not disabled is run, or the one of `version`. Without one no server is launched. */
  readonly version_tag?: string | undefined
  /** The version of that build which is run, to go back to one that was good; null or left out: the newest that is `ready` and not disabled. It holds for no other build that `use_version_from_state` names. */
  readonly version?: number | null | undefined
  /** Where it runs, where nobody says otherwise. */
  readonly region?: Region | undefined
  /** How large it is: cores and gigabytes; the smallest unless said. */
  readonly tier?: Tier | undefined
  /** The ports that the program wants, at most 16. */
  readonly network_ports?: readonly PortRequest[] | undefined
  /** Split like a shell would quote; no shell sees it. Then ${PORT_<NAME>}, ${INSTANCE_ID}, ${MATCH_ID}, ${REGION} and ${SVC_CONFIG_FILE} are replaced; $${ is the text ${. */
  readonly startup_args?: string | undefined
  /** What makes the server run: its ports (every TCP port accepts, every UDP port is bound by it; the default), its own call alone, or having stayed up for a second. Its own call always does. */
  readonly readiness?: 'port' | 'self' | 'uptime' | undefined
  /** A server is ended after so long; as long as the plan allows unless said. Seconds. */
  readonly ttl?: number | undefined
  /** Whether it is started again when its program ends by itself. */
  readonly auto_restart?: boolean | undefined
  /** For the program: it stands in its configuration file. `{}` unless said. Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data?: JsonObject | undefined
  /** Servers that are started before their match; without it each is started when its match is made. */
  readonly warm?: WarmSettings | undefined
}

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

/** A size of game server: cores and gigabytes. */
export type Tier = '1x-1g' | '1x-2g' | '1x-4g' | '2x-2g' | '2x-4g' | '2x-8g' | '4x-4g' | '4x-8g' | '4x-16g' | '8x-8g' | '8x-16g' | '8x-32g'

/** A build that waits for its archive. */
export interface UploadUrl {
  /** Its id. */
  readonly build_id: string
  /** Takes the ZIP by PUT, once, within 15 minutes; it needs no credential besides. */
  readonly upload_url: string
  /** The address takes nothing from then on. */
  readonly expires_at: string
  /** The build that waits for its archive. */
  readonly build: Build
}

/** What was used in a month, and what it costs. */
export interface Usage {
  /** The month: `2026-03`. */
  readonly period: string
  /** In US dollars. */
  readonly total_cost: number
  /** What of it is paid by credit, in US dollars. */
  readonly credit_applied: number
  /** What is left to be paid, in US dollars. */
  readonly balance_due: number
  /** The same, project by project: the thousand that cost most. */
  readonly projects: readonly ({
    /** The project. */
    readonly project_id: string
    /** Its name. */
    readonly name: string
    /** In US dollars. */
    readonly cost: number
  })[]
  /** Whether projects are left out; the sums hold them all. */
  readonly has_more: boolean
}

/** How many servers of a queue are there before their match. */
export interface WarmSettings {
  /** The least servers that there are in all, those in matches counted; 0 unless said. */
  readonly min?: number | undefined
  /** So many servers wait for a match; 1 unless said. */
  readonly buffer?: number | undefined
}

/** An address that is told what happens. */
export interface Webhook {
  /** Its id. */
  readonly webhook_id: string
  /** The address. */
  readonly url: string
  /** What it is told. */
  readonly types: readonly ('match.found' | 'match.started' | 'match.ended' | 'match.backfilled' | 'lobby.deleted' | 'server.running' | 'server.stopped' | 'server.failed' | 'build.ready' | 'build.failed')[]
  /** What it is for. */
  readonly description: string | null
  /** Whether it is told anything. */
  readonly enabled: boolean
  /** Why the service shut it off: `gone`, it answered 410; `failing`, nothing but failures for five days. Null where it did not. */
  readonly disabled_reason: 'gone' | 'failing' | null
  /** When it was made. */
  readonly created_at: string
  /** When it changed last. */
  readonly updated_at: string
}

/** A webhook, with the secret that signs what it is sent. */
export interface WebhookWithSecret {
  /** Its id. */
  readonly webhook_id: string
  /** The address. */
  readonly url: string
  /** What it is told. */
  readonly types: readonly ('match.found' | 'match.started' | 'match.ended' | 'match.backfilled' | 'lobby.deleted' | 'server.running' | 'server.stopped' | 'server.failed' | 'build.ready' | 'build.failed')[]
  /** What it is for. */
  readonly description: string | null
  /** Whether it is told anything. */
  readonly enabled: boolean
  /** Why the service shut it off: `gone`, it answered 410; `failing`, nothing but failures for five days. Null where it did not. */
  readonly disabled_reason: 'gone' | 'failing' | null
  /** When it was made. */
  readonly created_at: string
  /** When it changed last. */
  readonly updated_at: string
  /** The secret, this once; not in a replayed answer. */
  readonly secret?: string
}

/** Makes a project with a client key and a server key, their values shown this once. */
export interface ProjectsCreateBody {
  /** For people to read; the slug is made of it. */
  readonly name: string
}

/** Says how players of the project prove who they are; a generated secret is shown this once. */
export interface ProjectsSetPlayerAuthBody {
  /** `trusted`: a game says it itself. `signed`: by a token of an issuer. */
  readonly mode: 'trusted' | 'signed'
  /** Whose tokens are taken. */
  readonly issuers?: readonly PlayerIssuerSettings[] | undefined
}

/** Mints a key; its value is shown this once. */
export interface KeysMintBody {
  /** `client`: for games, and seen by everybody. `server`: for backends, and kept secret. */
  readonly type: 'client' | 'server'
  /** For people to read. */
  readonly name?: string | undefined
  /** It is refused from so long after now on; it holds until it is revoked unless said. Seconds. */
  readonly expires_in?: number | undefined
}

/** Makes a build and the URL that takes its ZIP, once, within 15 minutes. */
export interface BuildsCreateUploadBody {
  /** What servers name as `version_tag`: 1 to 64 of a-z, A-Z, 0-9, dot, underscore and hyphen. */
  readonly name: string
  /** The program in the archive that servers start: relative, without `..`. */
  readonly executable_path: string
  /** Bytes of the archive: one of another size is refused. */
  readonly size?: number | undefined
  /** SHA-256 of the archive, in hexadecimal digits: another archive is refused. */
  readonly sha256?: string | undefined
}

/** Makes a build of a container image, which is then pulled and validated. */
export interface BuildsRegisterImageBody {
  /** What servers name as `version_tag`: 1 to 64 of a-z, A-Z, 0-9, dot, underscore and hyphen. */
  readonly name: string
  /** An OCI reference without scheme or user; what it points at now is what servers run. */
  readonly image_url: string
}

/** Disables a build, which launches nothing new then, or enables it again. */
export interface BuildsUpdateBody {
  /** True: it launches nothing new, and ends nothing that runs it. False: it launches again. */
  readonly disabled?: boolean | undefined
}

/** The game server asks for newcomers for open seats of its match. */
export interface ServersSelfBackfillBody {
  /** The teams for which players are looked for, and for how many seats; every open seat unless said. */
  readonly teams?: readonly ({
    /** The team. */
    readonly name: string
    /** So many seats are to be filled. */
    readonly open: number
  })[] | undefined
  /** Who plays now, with states of this moment: rules compare them with those who might come. */
  readonly players?: readonly ({
    /** The player. */
    readonly player_id: string
    /** Takes the place of the state by which rules judge this player in the match; lobbies do not change. Free-form, at most 16 kB and 16 levels deep. */
    readonly state: JsonObject
  })[] | undefined
  /** After so long it is given up; the queue's unless said. Seconds. */
  readonly timeout?: number | undefined
}

/** Launches a game server by itself; the answer does not wait for it. */
export interface ServersCreateBody {
  /** The name of the build. */
  readonly version_tag: string
  /** Where it runs; `iad` unless said. */
  readonly region?: Region | undefined
  /** How large it is: cores and gigabytes; the smallest unless said. */
  readonly tier?: Tier | undefined
  /** The ports that it wants, at most 16. */
  readonly network_ports?: readonly PortRequest[] | undefined
  /** Split like a shell would quote; no shell sees it. Then ${PORT_<NAME>}, ${INSTANCE_ID}, ${MATCH_ID}, ${REGION} and ${SVC_CONFIG_FILE} are replaced; $${ is the text ${. */
  readonly startup_args?: string | undefined
  /** What makes the server run: its ports (every TCP port accepts, every UDP port is bound by it; the default), its own call alone, or having stayed up for a second. Its own call always does. */
  readonly readiness?: 'port' | 'self' | 'uptime' | undefined
  /** It is ended after so long; as long as the plan allows unless said. Seconds. */
  readonly ttl?: number | undefined
  /** Whether it is started again when its program ends by itself. */
  readonly auto_restart?: boolean | undefined
  /** For the program: it stands in its configuration file. `{}` unless said. Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data?: JsonObject | undefined
  /** For people to read; drawn unless said. */
  readonly name?: string | undefined
}

/** Makes a queue: how its lobbies behave, are paired and get their server. */
export interface QueuesCreateBody {
  /** Its id, by which games name it: 1 to 64 of a-z, 0-9 and _. */
  readonly queue_id: string
  /** For people to read. */
  readonly name: string
  /** Whether lobbies are made in it, and matched. */
  readonly enabled?: boolean | undefined
  /** So many players has a lobby at the most. */
  readonly max_players?: number | undefined
  /** After so long a search is given up, and the lobby waits again. Seconds. */
  readonly timeout?: number | undefined
  /** Whether players of whom nothing is heard leave their lobbies. */
  readonly heartbeat?: boolean | undefined
  /** After so long a silence a player has left; only with `heartbeat`. Seconds. */
  readonly heartbeat_timeout?: number | undefined
  /** What becomes of a lobby without its host: the next player is the host, or it is deleted. */
  readonly host_leave_behavior?: 'promote' | 'delete' | undefined
  /** After so long in which nothing happens a lobby is deleted. Seconds. */
  readonly lobby_ttl?: number | undefined
  /** After so long a match without a server of the service ends that nobody ended; null: never. */
  readonly match_ttl?: number | null | undefined
  /** Codes by which others join its lobbies. */
  readonly invite_code_config?: InviteCodeConfig | undefined
  /** What the servers of matches are made from; without them matches have no server. */
  readonly server_settings?: ServerSettings | undefined
  /** Who is matched with whom; without it lobbies can only be started directly. */
  readonly matchmaking?: Matchmaking | undefined
  /** Fields of player states that clients may not write: they come from a player token or from your backend. */
  readonly trusted_fields?: readonly string[] | undefined
}

/** Changes a queue from the next tick on; nested objects are replaced whole. */
export interface QueuesUpdateBody {
  /** For people to read. */
  readonly name?: string | undefined
  /** Whether lobbies are made in it, and matched. */
  readonly enabled?: boolean | undefined
  /** So many players has a lobby at the most. */
  readonly max_players?: number | undefined
  /** After so long a search is given up, and the lobby waits again. Seconds. */
  readonly timeout?: number | undefined
  /** Whether players of whom nothing is heard leave their lobbies. */
  readonly heartbeat?: boolean | undefined
  /** After so long a silence a player has left; only with `heartbeat`. Seconds. */
  readonly heartbeat_timeout?: number | undefined
  /** What becomes of a lobby without its host: the next player is the host, or it is deleted. */
  readonly host_leave_behavior?: 'promote' | 'delete' | undefined
  /** After so long in which nothing happens a lobby is deleted. Seconds. */
  readonly lobby_ttl?: number | undefined
  /** After so long a match without a server of the service ends that nobody ended; null: never. */
  readonly match_ttl?: number | null | undefined
  /** Codes by which others join its lobbies. */
  readonly invite_code_config?: InviteCodeConfig | undefined
  /** What the servers of matches are made from; without them matches have no server. */
  readonly server_settings?: ServerSettings | undefined
  /** Who is matched with whom; without it lobbies can only be started directly. */
  readonly matchmaking?: Matchmaking | undefined
  /** Fields of player states that clients may not write: they come from a player token or from your backend. */
  readonly trusted_fields?: readonly string[] | undefined
}

/** Gives the queue the settings again that it had at a version of its history. */
export interface QueuesRestoreBody {
  /** A version of the queue's history. */
  readonly version: number
}

/** A backend tells on which server of its own a match is played, or that it is played elsewhere now. */
export interface MatchesAssignBody {
  /** Address to connect to: a host name, an IPv4 or an IPv6 address. */
  readonly host: string
  /** Where it listens. */
  readonly ports: readonly AssignedPort[]
  /** Where it is; the match's own unless said. */
  readonly region?: Region | undefined
  /** Kept for you and answered to you; players do not see it. `{}` unless said. Free-form, at most 16 kB and 16 levels deep. */
  readonly custom_data?: JsonObject | undefined
}

/** Asks for newcomers for open seats of a running match, in place of what it asked for before. */
export interface MatchesBackfillBody {
  /** The teams for which players are looked for, and for how many seats; every open seat unless said. */
  readonly teams?: readonly ({
    /** The team. */
    readonly name: string
    /** So many seats are to be filled. */
    readonly open: number
  })[] | undefined
  /** Who plays now, with states of this moment: rules compare them with those who might come. */
  readonly players?: readonly ({
    /** The player. */
    readonly player_id: string
    /** Takes the place of the state by which rules judge this player in the match; lobbies do not change. Free-form, at most 16 kB and 16 levels deep. */
    readonly state: JsonObject
  })[] | undefined
  /** After so long it is given up; the queue's unless said. Seconds. */
  readonly timeout?: number | undefined
}

/** Makes an address that is told what happens; its secret is shown this once. */
export interface WebhooksCreateBody {
  /** The address, https unless the operator allows others. */
  readonly url: string
  /** What it is told; everything unless said. */
  readonly types?: readonly ('match.found' | 'match.started' | 'match.ended' | 'match.backfilled' | 'lobby.deleted' | 'server.running' | 'server.stopped' | 'server.failed' | 'build.ready' | 'build.failed')[] | undefined
  /** What it is for; null unless said. */
  readonly description?: string | null | undefined
}

/** Replaces the supplied fields, from the next event on. */
export interface WebhooksUpdateBody {
  /** The address. */
  readonly url?: string | undefined
  /** What it is told. */
  readonly types?: readonly ('match.found' | 'match.started' | 'match.ended' | 'match.backfilled' | 'lobby.deleted' | 'server.running' | 'server.stopped' | 'server.failed' | 'build.ready' | 'build.failed')[] | undefined
  /** Whether it is told anything; one that was shut off begins anew by `true`. */
  readonly enabled?: boolean | undefined
  /** What it is for. */
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
  | 'PLAYER_BANNED'
  | 'BAN_NOT_FOUND'
  | 'BAN_LIMIT'
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

/** Every code that a game server's call can be refused with. Each is kept for ever; new ones may be added. */
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
  | 'MATCH_NOT_FOUND'
  | 'MISSING_CREDENTIALS'
  | 'PAYLOAD_TOO_LARGE'
  | 'PLAYER_NOT_IN_LOBBY'
  | 'RATE_LIMITED'
  | 'SESSION_EXPIRED'
  | 'UNAVAILABLE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_FAILED'
