import { correctedEntity, correctedInstant, ENTITY_KINDS, type Entities } from '@matchyard/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const [TO, FROM] = [1_000_000, 5_000_000]
const correction = { from: FROM, to: TO }
/** Stamped by the clock that was ahead, and still to come when it was set right. */
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

const stamps = { createdAt: STAMPED, updatedAt: STAMPED }
const base = { id: 'id', version: 3, projectId: 'prj', accountId: 'acc' }
/** What callers wrote may look like anything. */
const theirs = { createdAt: STAMPED, from: STAMPED }
const person = { playerId: 'ann', lobbyId: 'lob', role: null, state: theirs, leftAt: STAMPED }

/** One of each kind, every instant of it stamped by the clock that was ahead or still to come. */
const SPECIMENS: { readonly [K in keyof Entities]: Entities[K] } = {
  account: {
    ...base, ...stamps, email: 'a@b.c', name: 'A', passwordHash: 'x', plan: 'pro', pendingPlan: 'free',
    planHistory: [{ plan: 'pro', from: STAMPED }], pendingPlanAt: TO_COME, customerId: null, paymentMethod: null,
  },
  session: { ...base, createdAt: STAMPED, expiresAt: TO_COME, ended: null },
  project: { ...base, ...stamps, name: 'P', slug: 'p', deletedAt: STAMPED },
  'api-key': {
    ...base, type: 'client', name: 'k', hash: 'h', last4: 'last', createdAt: STAMPED, revokedAt: STAMPED,
  },
  build: {
    ...base, ...stamps, name: 'b', buildVersion: 1, status: 'failed', type: 'zip', executablePath: 'x', imageUrl: null,
    imageDigest: null, errorMessage: null, uploadExpiresAt: TO_COME, sizeBytes: null,
    logs: [{ at: STAMPED, level: 'info', message: 'x' }],
  },
  'build-name': { ...base, lastBuildVersion: 3 },
  queue: {
    ...base, ...stamps, queueId: 'q', name: 'Q', enabled: true, maxPlayers: 4, region: null, heartbeat: true,
    heartbeatTimeoutSeconds: 5, lobbyTtlSeconds: 60, hostLeaveBehavior: 'promote', inviteCodes: null,
    matchmaking: null, serverSettings: null,
  } as unknown as Entities['queue'],
  lobby: {
    ...base, ...stamps, queueId: 'q', status: 'in_queue', hostPlayerId: 'ann', isPrivate: false, maxPlayers: 4,
    players: [{ playerId: 'ann', joinedAt: STAMPED, state: theirs }], name: null, region: null, inviteCode: null,
    settings: theirs, server: null, matchId: null, ticket: { id: 'tic', version: 1, enteredAt: STAMPED, expiresAt: TO_COME },
    proposal: {
      matchId: 'mat', expiresAt: TO_COME, needed: 2, accepted: 0, players: [], ticketId: 'tic', enteredAt: STAMPED, ticketExpiresAt: TO_COME,
    },
  },
  ticket: {
    ...base, queueKey: 'prj/q', lobbyId: 'lob', enteredAt: STAMPED, region: null, players: [{ playerId: 'ann', state: theirs }],
  },
  'invite-hold': { ...base, code: 'ABC', until: TO_COME },
  cooldown: { ...base, queueId: 'q', until: TO_COME },
  match: {
    ...base, queueId: 'q', region: 'eu', gameVersion: null, lobbyIds: [], teams: [{ name: 'a', players: [person] }],
    settings: theirs, serverId: null, waits: [], createdAt: STAMPED, endedAt: STAMPED,
    proposal: { expiresAt: TO_COME, penaltySeconds: 0, spreadAt: TO_COME, settled: { outcome: 'declined', version: 3 } },
  } as unknown as Entities['match'],
  server: {
    ...base, ...stamps, name: 's', status: 'running', region: 'eu', tier: 'small', versionTag: 'b', buildId: null,
    buildVersion: null, portRequests: [], networkPorts: [], startupArgs: '', ttlSeconds: 60, autoRestart: false,
    customData: theirs, queueId: null, matchId: null, nodeId: null, attempt: 1, attemptOpen: true, launchAttempts: 1,
    room: { deadlineAt: TO_COME, admittedAt: STAMPED, orchestrator: null, passedSince: STAMPED },
    launchDeadlineAt: TO_COME, exitCode: null, stopReason: null, restarts: 0, crashesInARow: 0, relaunchAt: TO_COME,
    launchedAt: STAMPED, runningAt: STAMPED, stoppedAt: STAMPED, expiresAt: TO_COME,
  } as unknown as Entities['server'],
  idempotency: { ...base, requestHash: 'x', answer: theirs, createdAt: STAMPED, expiresAt: TO_COME },
} // biome-ignore format: a table of entities

const FREE_FORM = new Set(['state', 'settings', 'customData', 'answer'])

/** Every number in an entity that is no free-form value, by its path. */
function numbersIn(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => (FREE_FORM.has(key) ? [] : numbersIn(item, `${path}.${key}`)))
}

test.each(ENTITY_KINDS)('every instant of a %s is corrected, and nothing else', (kind) => {
  const before = SPECIMENS[kind]
  const after = correctedEntity(correction, kind, before)
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
