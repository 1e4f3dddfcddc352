import { isJsonObject, type JsonObject, type JsonValue } from '../shared/json'
import type { AuditedKind } from './entry'

interface Shown {
  /**
   * Fields whose values the audit log contains; `a.b` is a field of the object `a`. Every other field is hidden: the log says that it
   * changed, and nothing about its value.
   */
  readonly fields: readonly string[]
  /** Fields that the service derives or keeps for itself. Their changes are not in the log. */
  readonly derived?: readonly string[]
}

const OF_EACH = ['id', 'version', 'projectId', 'accountId', 'createdAt', 'updatedAt']

/** Fields of each kind that the audit log shows. A new field of a kind is hidden until it is added here. */
export const SHOWN: { readonly [K in AuditedKind]: Shown } = {
  account: {
    fields: [
      ...['email', 'name', 'plan', 'tariff', 'pendingPlan', 'pendingPlanAt', 'disabledAt', 'operator'],
      ...['paymentMethod.type', 'paymentMethod.brand', 'paymentMethod.last4'],
    ],
    derived: ['planHistory', 'sessionEpoch', 'sessionsEndedAt', 'wrongCodes'],
  },
  // The network address of a session is personal data, which the log keeps for a shorter time than its entries.
  session: { fields: ['ended', 'expiresAt'], derived: ['sessionEpoch'] },
  project: {
    fields: ['name', 'slug', 'deletedAt', 'playerAuth.mode', 'budgetMicroUsd'],
    derived: ['listeners', 'bans', 'consumers', 'secrets'],
  },
  'api-key': { fields: ['type', 'name', 'last4', 'revokedAt', 'expiresAt', 'mintedBy', 'role'] },
  secret: { fields: ['name'] },
  build: {
    fields: [
      ...['name', 'buildVersion', 'status', 'type', 'executablePath', 'imageUrl', 'imageDigest', 'sizeBytes'],
      ...['sha256', 'disabled', 'drainingSince', 'drainedAt'],
      ...['serversStoppedAt'],
    ],
    derived: ['logs', 'uploadExpiresAt', 'isDirect', 'announced', 'createdBy'],
  },
  queue: {
    fields: [
      ...['queueId', 'name', 'enabled', 'maxPlayers', 'timeoutSeconds', 'heartbeat', 'heartbeatTimeoutSeconds'],
      ...['hostLeaveBehavior', 'lobbyTtlSeconds', 'matchTtlSeconds', 'concurrentMatches', 'presenceTimeoutSeconds'],
      ...['inGameHeartbeatTimeoutSeconds', 'leaverPenaltySeconds', 'requeueOnFailure', 'inviteCodeConfig'],
      ...['matchmaking', 'rating', 'ratingField', 'ratedStarts', 'trustedFields'],
      ...['serverSettings.source', 'serverSettings.versionTag', 'serverSettings.version', 'serverSettings.region'],
      ...['serverSettings.tier', 'serverSettings.networkPorts', 'serverSettings.readiness', 'serverSettings.ttl'],
      ...['serverSettings.stopGraceSeconds', 'serverSettings.autoRestart', 'serverSettings.warm'],
    ],
    derived: ['watchedSince'],
  },
  // The note and the id of the player are personal data, which the erasure of the player removes from the ban.
  ban: { fields: ['reason', 'until', 'queues'], derived: ['createdBy'] },
  rating: {
    fields: ['ratingId', 'name', 'model', 'params', 'initial', 'display', 'placementMatches', 'seasons'],
    derived: ['key'],
  },
  machine: { fields: ['name', 'kind', 'status', 'drainBy', 'regions'], derived: ['session', 'beacons', 'rest'] },
  // The address of a webhook may contain a secret, for example in its query.
  webhook: { fields: ['types', 'description', 'enabled', 'disabledReason', 'format'], derived: ['failingSince'] },
  // Names, settings and states of lobbies are texts of players.
  lobby: {
    fields: ['queueId', 'status', 'isPrivate', 'maxPlayers', 'region', 'matchId'],
    derived: ['ticket', 'proposal', 'keptStay', 'movedAt', 'server', 'lastExit', 'quickJoinKey'],
  },
  member: { fields: ['role'], derived: ['ownerId', 'keys'] },
  invitation: { fields: ['role', 'invitedBy', 'expiresAt'] },
  problem: {
    fields: [
      ...['code', 'severity', 'subject.kind', 'subject.id', 'acknowledged.note', 'muted.until', 'muted.reason'],
      ...['acknowledged.by', 'muted.by'],
    ],
    derived: ['sentence', 'count', 'details', 'openedAt', 'seenAt', 'closedAt'],
  },
  match: { fields: ['queueId', 'status', 'region', 'endedAt', 'ending.reason'], derived: ['trace', 'waits'] },
  server: {
    fields: [
      ...['name', 'status', 'region', 'tier', 'versionTag', 'pinnedVersion', 'buildId', 'buildVersion', 'readiness'],
      ...['ttlSeconds', 'stopGraceSeconds', 'autoRestart', 'queueId', 'matchId', 'nodeId', 'restarts', 'stopReason'],
      ...['endReason'],
    ],
    derived: [
      ...['room', 'trace', 'attempt', 'attemptOpen', 'launchAttempts', 'launchDeadlineAt', 'crashesInARow'],
      ...['relaunchAt', 'comingUp', 'statusReason', 'launchedAt', 'runningAt', 'stoppedAt', 'expiresAt'],
    ],
  },
}

/** Row of a thing in two parts: the fields that the audit log shows, and the fields whose values it hides, by path. */
export interface Parted {
  readonly shown: JsonObject
  readonly hidden: ReadonlyMap<string, JsonValue>
}

/** Divides a row into the fields that the audit log shows and the fields that it hides. */
export function parted(kind: AuditedKind, row: object | undefined): Parted {
  const { fields, derived = [] } = SHOWN[kind]
  const shown: JsonObject = {}
  const hidden = new Map<string, JsonValue>()
  const sort = (path: string, value: JsonValue, into: JsonObject, key: string) => {
    if (fields.includes(path)) into[key] = value
    else hidden.set(path, value)
  }
  for (const [key, value] of Object.entries(asJson(row))) {
    if (OF_EACH.includes(key) || derived.includes(key)) continue
    if (!isJsonObject(value) || !fields.some((path) => path.startsWith(`${key}.`))) {
      // Null means that the object is absent, so the log does not report hidden fields for it.
      if (value !== null || fields.includes(key)) sort(key, value, shown, key)
      continue
    }
    const inner: JsonObject = {}
    for (const [name, part] of Object.entries(value)) sort(`${key}.${name}`, part, inner, name)
    shown[key] = inner
  }
  return { shown, hidden }
}

const asJson = (row: object | undefined): JsonObject => JSON.parse(JSON.stringify(row ?? {})) as JsonObject
