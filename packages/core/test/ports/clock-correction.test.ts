import { arrivalsId, correctedEntity, correctedInstant, ENTITY_KINDS, type Entities } from '@matchyard/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const [TO, FROM] = [1_000_000, 5_000_000]
const correction = { from: FROM, to: TO }
/** A time recorded by the clock that was ahead, and a time still to come when it was corrected. */
const [STAMPED, TO_COME] = [FROM - 1, FROM + 60_000]

test('an instant is never after its correction, keeps its order, and what was to come is as far away as it was', () => {
  const instant = fc.integer({ min: 0, max: 2 * FROM })
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      const [first, second] = [Math.min(a, b), Math.max(a, b)].map((at) => correctedInstant(correction, at)) as [
        number,
        number,
      ]
      expect(first).toBeLessThanOrEqual(second)
      expect(correctedInstant(correction, a)).toBeLessThanOrEqual(a)
      if (a <= TO) expect(correctedInstant(correction, a)).toBe(a)
      if (a > FROM) expect(correctedInstant(correction, a) - TO).toBe(a - FROM)
    }),
  )
})

/** Fields that hold callers' data or a developer's settings: none of their values is a time of the service. */
const THEIRS = [
  'state',
  'stats',
  'settings',
  'customData',
  'answer',
  'matchmaking',
  'serverSettings',
  'playerAuth',
  'before',
  'after',
] as const
/**
 * Type in which every field is required and not null. A specimen of it must name each time of its kind, so a field that is added to an
 * entity does not compile until it stands here.
 */
type Whole<T> = T extends null | undefined
  ? never
  : T extends string | number | boolean
    ? T
    : T extends readonly (infer Item)[]
      ? readonly [Whole<Item>, ...Whole<Item>[]]
      : { readonly [F in keyof T]-?: F extends (typeof THEIRS)[number] ? NonNullable<T[F]> : Whole<T[F]> }

const stamps = { createdAt: STAMPED, updatedAt: STAMPED }
const base = { id: 'id', version: 3, projectId: 'prj', accountId: 'acc' }
/** Callers' data may look like times. */
const theirs = { createdAt: STAMPED, from: STAMPED }
const person = {
  playerId: 'ann',
  lobbyId: 'lob',
  role: 'tank',
  state: theirs,
  hidden: ['avoid'],
  joinedAt: STAMPED,
  leftAt: STAMPED,
  answer: 'accepted',
} as const
const met = [{ playerId: 'bob', at: STAMPED, opponent: true }] as const
const port = { name: 'game', protocol: 'udp', internalPort: 7, tlsEnabled: false, externalPort: 8, host: 'h' } as const

/** One entity of each kind; each time in it was recorded by the clock that was ahead, or was still to come. */
/** A date that a caller chose, which is not corrected. */
const CHOSEN = 9_000_001
const SPECIMENS: { readonly [K in keyof Entities]: Whole<Entities[K]> } = {
  account: {
    ...base, ...stamps, email: 'a@b.c', name: 'A', passwordHash: 'x', plan: 'pro', tariff: 'self_hosted', pendingPlan: 'free',
    planHistory: [{ plan: 'pro', tariff: 'self_hosted', from: STAMPED }], pendingPlanAt: TO_COME, customerId: 'c',
    paymentMethod: { type: 'card', brand: 'b', last4: '4242', expMonth: 1, expYear: 2 }, disabledAt: STAMPED,
    operator: true, guest: true, sessionEpoch: 1, signInCode: { hash: 'h', expiresAt: TO_COME, usedBy: 'ses' },
    sessionsEndedAt: STAMPED,
    secondFactor: { sealed: 's', activatedAt: STAMPED, usedStepAt: STAMPED, recoveryHashes: ['h'] },
    pendingFactor: { sealed: 's', expiresAt: TO_COME }, wrongCodes: { count: 1, since: STAMPED, lastAt: STAMPED },
  },
  session: { ...base, sessionEpoch: 1, createdAt: STAMPED, expiresAt: TO_COME, ended: 'refreshed', address: 'a' },
  project: { ...base, ...stamps, name: 'P', slug: 'p', deletedAt: STAMPED,
    listeners: [{ webhookId: 'whk', types: ['match.found'], enabled: true }], playerAuth: { mode: 'trusted', issuers: [] }, bans: 1, consumers: [{ name: 'c', types: ['match.found'], sinceVersion: 2 }],
    secrets: [{ name: 'S', ...stamps }], budgetMicroUsd: 1,
  },
  'api-key': {
    ...base, type: 'client', name: 'k', hash: 'h', last4: 'last', createdAt: STAMPED, revokedAt: STAMPED,
    expiresAt: TO_COME, mintedBy: 'acc', role: 'admin',
  },
  member: { ...base, ...stamps, ownerId: 'acc', role: 'admin', keys: [{ id: 'key', expiresAt: TO_COME }] },
  invitation: { ...base, createdAt: STAMPED, tokenHash: 'h', role: 'viewer', email: 'e', invitedBy: 'acc', expiresAt: TO_COME },
  problem: {
    ...base, code: 'servers_crashed', severity: 'error', sentence: 's', subject: { kind: 'queue', id: 'q' }, count: 7, 
    details: { versionTag: 't', buildId: 'b', buildVersion: 7, budget: { monthlyMicroUsd: 7, spentMicroUsd: 7, forecastMicroUsd: 7 } },
    openedAt: STAMPED, seenAt: STAMPED, closedAt: STAMPED, acknowledged: { by: { kind: 'key', id: 'k', name: 'n' }, at: STAMPED, note: 'n' }, muted: { by: { kind: 'key', id: 'k', name: 'n' }, until: TO_COME, reason: 'r' },
  },
  build: {
    ...base, ...stamps, name: 'b', buildVersion: 1, status: 'failed', type: 'zip', executablePath: 'x', imageUrl: 'i',
    imageDigest: 'd', errorMessage: 'e', uploadExpiresAt: TO_COME, sizeBytes: 9, isDirect: true,
    announced: { sizeBytes: 9, sha256: 'h' }, sha256: 'h', disabled: true,
    drainingSince: STAMPED, drainedAt: STAMPED, serversStoppedAt: STAMPED, createdBy: { kind: 'key', id: 'k', name: 'n' },
    logs: [{ at: STAMPED, level: 'info', message: 'x' }],
  },
  secret: { ...base, name: 'S', valueId: 'v', sealed: 's' },
  'build-name': { ...base, lastBuildVersion: 3 },
  backlog: { ...base, projectId: 'p', consumer: 'c', sinceVersion: 2, matchId: 'm', messages: [{ type: 'match.found', cursor: 10, at: STAMPED }] },
  installation: { ...base, value: 'v' },
  audit: {
    ...base, createdAt: STAMPED, actor: { kind: 'key', keyId: 'k', projectId: 'p', person: 'acc', address: '::1' }, operation: 'queues.update',
    target: { kind: 'queue', id: 'q' }, players: ['ann'],
    changes: [{ kind: 'queue', id: 'q', change: 'changed', fields: [{ name: 'maxPlayers', before: theirs, after: theirs, isHidden: true }] }],
  },
  machine: { ...base, ...stamps, name: 'm', kind: 'node', host: 'h', peerUrl: 'u', release: '1', regions: ['fra'], beacons: [{ host: 'h', udpPort: 7, url: 'u', region: 'fra' }], status: 'draining', drainBy: TO_COME,
    rest: { until: TO_COME, times: 1, reason: 'r' }, lostAt: STAMPED, tokenHash: 't', session: 's',
  },
  queue: {
    ...base, ...stamps, queueId: 'q', name: 'Q', enabled: true, maxPlayers: 4, timeoutSeconds: 30, heartbeat: true,
    heartbeatTimeoutSeconds: 5, lobbyTtlSeconds: 60, matchTtlSeconds: 60, leaverPenaltySeconds: 0, requeueOnFailure: false, concurrentMatches: false,
    presenceTimeoutSeconds: 30, inGameHeartbeatTimeoutSeconds: 60, hostLeaveBehavior: 'promote', matchmaking: { teams: 2 },
    inviteCodeConfig: { enabled: true, length: 6, charset: 'numeric', prefix: '' }, serverSettings: { ttl: 60 },
    watchedSince: STAMPED, trustedFields: ['mmr'], rating: 'r', ratingField: 'mmr', ratedStarts: true,
  },
  'queue-version': {
    id: 'q@1/1', version: 3, projectId: 'prj', queueId: 'q', number: 1, at: STAMPED, by: { kind: 'key', id: 'k', name: 'n' },
    settings: {
      name: 'Q', enabled: true, maxPlayers: 4, timeoutSeconds: 30, heartbeat: true, heartbeatTimeoutSeconds: 5, lobbyTtlSeconds: 60, matchTtlSeconds: 60, leaverPenaltySeconds: 0, requeueOnFailure: false,
      concurrentMatches: false, presenceTimeoutSeconds: 30, inGameHeartbeatTimeoutSeconds: 60, hostLeaveBehavior: 'promote', matchmaking: null, serverSettings: null,
      inviteCodeConfig: { enabled: true, length: 6, charset: 'numeric', prefix: '' }, rating: 'r', ratingField: 'mmr', ratedStarts: true,
    },
  },
  arrivals: {
    id: arrivalsId('prj/q', STAMPED, 'arr_a'), version: 3, leftAt: STAMPED,
    arrivals: [
      { id: 'arr_t', lobbyId: 'lob', enteredAt: STAMPED, outcome: 'matched', matchId: 'mat', region: 'fra', players: [{ playerId: 'ann', state: theirs }] },
    ],
  },
  lobby: {
    ...base, ...stamps, queueId: 'q', status: 'in_queue', hostPlayerId: 'ann', isPrivate: false, maxPlayers: 4,
    players: [{ playerId: 'ann', joinedAt: STAMPED, state: theirs, proven: ['from'], hidden: ['avoid'], byClient: true }], name: 'L', region: 'fra', inviteCode: 'ABC',
    settings: theirs, matchId: 'mat', ticket: { id: 'tic', version: 1, enteredAt: STAMPED, expiresAt: TO_COME, requeues: 1, trace: 'tp', vouched: true, recent: met }, movedAt: STAMPED,
    server: { instanceId: 'ins', region: 'fra', status: 'running', matchId: 'mat', networkPorts: [port] },
    lastExit: { reason: 'timeout', detail: 'x', at: STAMPED, willRequeue: true }, quickJoinKey: '["q"]', banned: ['bob'],
    proposal: {
      matchId: 'mat', expiresAt: TO_COME, needed: 2, accepted: 0, players: [{ playerId: 'ann', answer: 'none' }], ticketId: 'tic', enteredAt: STAMPED, ticketExpiresAt: TO_COME, requeues: 1, trace: 'tp', vouched: true, recent: met,
    },
    keptStay: { enteredAt: STAMPED, expiresAt: TO_COME, requeues: 1, trace: 'tp', vouched: true },
  },
  ticket: {
    ...base, queueKey: 'prj/q', lobbyId: 'lob', enteredAt: STAMPED, region: 'fra', vouched: true,
    players: [{ playerId: 'ann', state: theirs, hidden: ['avoid'], recent: met }],
    request: {
      matchId: 'mat', players: [{ playerId: 'ann', state: theirs, team: 'a', role: 'tank' }],
      teams: [{ name: 'a', open: 1, roles: { tank: 1 } }], gameVersion: '1',
    },
  },
  'invite-hold': { ...base, code: 'ABC', until: TO_COME },
  cooldown: { ...base, queueId: 'q', until: TO_COME },
  rating: {
    ...base, ...stamps, ratingId: 'r', key: 'p/r@1', name: 'R', model: 'plackettLuce', params: { beta: 4, tau: 0, limitSigma: false }, initial: { mu: 25, sigma: 8 },
    display: { base: 1500, perSigma: 500 }, placementMatches: 5, seasons: [{ name: 's', keep: 0.5, startedAt: STAMPED }],
  },
  standing: {
    ...base, ratingId: 'r', ratingKey: 'p/r@1', playerId: 'ann', season: 1, mu: 25, sigma: 8, matches: 3, cell: 300, updatedAt: STAMPED,
  },
  ban: { ...base, ...stamps, playerId: 'ann', reason: 'r', note: 'n', until: CHOSEN, queues: ['q'], createdBy: { kind: 'key', id: 'key', name: 'k' } },
  match: {
    ...base, status: 'ended', queueId: 'q', region: 'fra', gameVersion: '1', lobbyIds: ['lob'],
    teams: [{ name: 'a', players: [person] }], settings: theirs, serverId: 'ins', createdAt: STAMPED, startedAt: STAMPED, endedAt: STAMPED, ending: { reason: 'match_ended', detail: 'x', exitCode: 7, exitSignal: 'S' },
    result: {
      teams: [{ name: 'a', rank: 1, score: 2 }], players: [{ playerId: 'ann', score: 3, stats: theirs, left: false }],
      completed: true, recordedBy: 'backend', recordedAt: STAMPED, amendedAt: STAMPED,
    },
    waits: [{ lobbyId: 'lob', players: 1, waitedMs: 5 }],
    build: { id: 'b', versionTag: 't', buildVersion: 7 }, ttlSeconds: 60, holdsPlayers: true, quality: { winProbability: [0.5, 0.5] },
    counted: { ratingKey: 'p/r@1', season: 1, params: { beta: 4, tau: 0, limitSigma: false }, teams: [{ name: 'a', players: [{ playerId: 'ann', mu: 25, sigma: 8 }], predicted: 0.5 }] },
    external: { assignBy: TO_COME, assignment: { host: 'h', ports: [{ name: 'g', protocol: 'udp', port: 7 }], region: 'fra', customData: theirs } },
    proposal: { expiresAt: TO_COME, penaltySeconds: 0, spreadAt: TO_COME, settled: { outcome: 'declined', version: 3 } },
    seats: [{ name: 'a', seats: 1, roles: { tank: 1 } }], closedAt: STAMPED, trace: 'tp',
    keptSeats: [{ playerId: 'bob', team: 'a', role: 'tank', keptBy: 'ann', expiresAt: TO_COME }],
    backfill: {
      ticketId: 'tic', version: 1, teams: [{ name: 'a', open: 1, roles: { tank: 1 } }], wanted: [{ name: 'a', open: 2, roles: { tank: 2 } }], requestedAt: STAMPED, expiresAt: TO_COME,
    },
  },
  server: {
    ...base, ...stamps, name: 's', status: 'running', region: 'fra', askedRegion: 'ams', tier: '1x-1g', versionTag: 'b', pinnedVersion: 1, buildId: 'b',
    buildVersion: 1, portRequests: [port], networkPorts: [port], startupArgs: '', environment: { A: 'b' }, stopGraceSeconds: 9, readiness: 'port', ttlSeconds: 60,
    autoRestart: false, customData: theirs, queueId: 'q', matchId: 'mat', nodeId: 'n', attempt: 1, attemptOpen: true,
    launchAttempts: 1, launchDeadlineAt: TO_COME, fromWarm: true, comingUp: 1, exitCode: 1, exitSignal: 'S', stopReason: 'x', endReason: 'server_failed', statusReason: 'waiting_for_room', restarts: 0, crashesInARow: 0,
    room: { deadlineAt: TO_COME, admittedAt: STAMPED, orchestrator: 'process', passedSince: STAMPED, machine: 'n' },
    lastCrash: { at: STAMPED, exitCode: 1, exitSignal: 'S', lines: [{ at: STAMPED, stream: 'stdout', message: 'x' }] },
    relaunchAt: TO_COME, launchedAt: STAMPED, runningAt: STAMPED, stoppedAt: STAMPED, expiresAt: TO_COME, trace: 'tp',
  },
  webhook: {
    ...base, ...stamps, url: 'https://a.b', types: ['match.found'], format: 'slack', description: 'd', enabled: true, disabledReason: 'gone',
    secrets: [{ seed: 's', until: TO_COME }], failingSince: STAMPED,
  },
  message: {
    ...base, type: 'build.ready', createdAt: STAMPED, trace: 'tp',
    subject: {
      kind: 'build',
      build: {
        ...base, ...stamps, name: 'b', buildVersion: 1, status: 'ready', type: 'zip', executablePath: 'x', imageUrl: 'i',
        imageDigest: 'd', errorMessage: 'e', uploadExpiresAt: TO_COME, sizeBytes: 9, isDirect: true,
    announced: { sizeBytes: 9, sha256: 'h' }, sha256: 'h', disabled: true,
        drainingSince: STAMPED, drainedAt: STAMPED, serversStoppedAt: STAMPED, createdBy: { kind: 'key', id: 'k', name: 'n' },
        logs: [{ at: STAMPED, level: 'info', message: 'x' }],
      },
    },
  },
  delivery: {
    ...base, webhookId: 'w', messageId: 'm', type: 'build.ready', status: 'pending', isAskedFor: false, createdAt: STAMPED,
    attempts: [{ at: STAMPED, statusCode: 7, error: 'e', durationMs: 5 }], nextAttemptAt: TO_COME,
  },
  idempotency: { ...base, requestHash: 'x', owner: 'o', group: 'g', about: 'a', bytes: 7, answer: theirs, createdAt: STAMPED, expiresAt: TO_COME },
} // biome-ignore format: a table of entities

const FREE_FORM = new Set<string>(THEIRS)

/** Returns every number in an entity, by its path, without callers' data. */
function numbersIn(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => (FREE_FORM.has(key) ? [] : numbersIn(item, `${path}.${key}`)))
}

test.each(ENTITY_KINDS)('every instant of a %s is corrected, and nothing else', (kind) => {
  const before: Entities[typeof kind] = SPECIMENS[kind]
  const after = correctedEntity(correction, kind, before)
  // Fields with the name of a time must hold one of the two times; any other number would prove nothing.
  for (const [path, at] of numbersIn(before))
    if (/(At|By|Since|[.](at|from|until))$/.test(path)) expect([STAMPED, TO_COME, CHOSEN]).toContain(at)
  const expected = numbersIn(before).map(([path, at]) => [
    path,
    at === STAMPED ? TO : at === TO_COME ? TO + 60_000 : at,
  ])
  expect(numbersIn(after)).toEqual(expected)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  const text = JSON.stringify(after)
  expect(text.includes('"from":4999999')).toBe(JSON.stringify(before).includes(JSON.stringify(theirs)))
  expect(after.version).toBe(3)
})
