/**
 * JSON names of fields that differ from the domain's names in all objects. A duration that callers set has no unit in
 * its JSON name.
 */
export const EVERYWHERE: Readonly<Record<string, string>> = {
  balanceMicroUsd: 'balance_due',
  creditMicroUsd: 'credit_applied',
  expiresInSeconds: 'expires_in',
  forecastMicroUsd: 'forecast',
  deadlineSeconds: 'deadline',
  heartbeatTimeoutSeconds: 'heartbeat_timeout',
  leaverPenaltySeconds: 'leaver_penalty',
  holdSeconds: 'hold',
  lobbyTtlSeconds: 'lobby_ttl',
  matchTtlSeconds: 'match_ttl',
  monthlyMicroUsd: 'monthly_usd',
  memberAccountId: 'account_id',
  presenceTimeoutSeconds: 'presence_timeout',
  inGameHeartbeatTimeoutSeconds: 'in_game_heartbeat_timeout',
  microUsd: 'cost',
  partialAfterSeconds: 'partial_after',
  penaltySeconds: 'penalty',
  sizeBytes: 'size',
  spentMicroUsd: 'spent',
  targetPlayerId: 'player_id',
  timeoutSeconds: 'timeout',
  totalMicroUsd: 'total_cost',
  ttlSeconds: 'ttl',
}

/**
 * JSON names of fields that differ from the domain's names in one object. Each table is passed to the codec of its
 * object: `answerOf<Lobby>(NAMES_OF.lobby)`.
 */
export const NAMES_OF = {
  apiKey: { id: 'key_id' },
  arrival: { id: 'arrival_id' },
  auditEntry: { id: 'entry_id', players: 'player_ids' },
  build: { id: 'build_id', buildVersion: 'version', type: 'build_type' },
  delivery: { id: 'delivery_id' },
  errorExample: { sent: 'sent_headers' },
  errorIndex: { all: 'errors' },
  lobby: { id: 'lobby_id' },
  factor: { isActive: 'active' },
  invitation: { id: 'invitation_id' },
  logLine: { at: 'timestamp' },
  machine: { id: 'machine_id', release: 'version' },
  machineCapacity: { maxServers: 'servers', maxServerCpus: 'cpus', maxServerMemoryMb: 'memory_mb' },
  match: { id: 'match_id' },
  message: { subject: 'data' },
  mintedKey: { value: 'key' },
  project: { id: 'project_id' },
  server: { id: 'instance_id' },
  session: { id: 'session_id', isCurrent: 'current' },
  serverLogs: { lines: 'logs' },
  usage: { month: 'period' },
  webhook: { id: 'webhook_id' },
} as const

/** JSON names of some fields of one object. */
export type NamesOf<Whole> = { readonly [Key in keyof Whole]?: string }

/** Returns the JSON name of a field: its own name in snake_case, unless a table in this file has another one. */
export const wireName = (key: string, names: NamesOf<Record<string, unknown>> = {}): string =>
  names[key] ?? EVERYWHERE[key] ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
