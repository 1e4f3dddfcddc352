import type { Queue, QueueTicket } from '@matchyard/core'
import type { Commit } from '@matchyard/core/ports'
import { sampleLobby } from '@matchyard/testkit'

export const empty = (id: string, at: number): Commit => ({
  id,
  at,
  checks: [],
  writes: [],
  counters: [],
  events: [],
  jobs: [],
})

/**
 * Returns the commit of a new lobby, as the service writes it: the row with its invite code, its event, its first job,
 * and the queue's count.
 */
export const creation = (n: number): Commit => {
  const value = sampleLobby(n)
  return {
    ...empty(`com_${n}`, n),
    checks: [
      { kind: 'project', id: 'prj_a', expected: 1 },
      { kind: 'account', id: 'acc_a', expected: 1 },
      { kind: 'queue', id: 'prj_a/ranked', expected: 1 },
    ],
    writes: [{ kind: 'lobby', id: value.id, expected: 'absent', put: value }],
    counters: [{ id: 'lobbies of prj_a/ranked', add: 1 }],
    events: [{ lobbyId: value.id, version: 1, name: 'lobby_updated', at: n, lobby: value }],
    jobs: [
      {
        id: `watch-lobby:${value.id}`,
        kind: 'watch-lobby',
        runAt: n + 60_000,
        tenant: 'acc_a',
        payload: { lobbyId: value.id },
      },
    ],
  }
}

/** Returns the commit that creates the account, the project and the queue that every creation of a lobby checks. */
export const owners = (): Commit => {
  const account = {
    id: 'acc_a',
    version: 1,
    email: 'a@example.com',
    name: 'A',
    passwordHash: '',
    plan: 'pro' as const,
    planHistory: [{ plan: 'pro' as const, from: 0 }],
    pendingPlan: null,
    pendingPlanAt: null,
    customerId: null,
    paymentMethod: null,
    createdAt: 0,
    updatedAt: 0,
  }
  const project = {
    id: 'prj_a',
    version: 1,
    accountId: 'acc_a',
    name: 'A',
    slug: 'a',
    createdAt: 0,
    updatedAt: 0,
    deletedAt: null,
  }
  const queue: Queue = {
    id: 'prj_a/ranked',
    version: 1,
    projectId: 'prj_a',
    queueId: 'ranked',
    name: 'Ranked',
    enabled: true,
    maxPlayers: 10,
    timeoutSeconds: 300,
    heartbeat: false,
    heartbeatTimeoutSeconds: 60,
    hostLeaveBehavior: 'promote',
    lobbyTtlSeconds: 3_600,
    matchTtlSeconds: 86_400,
    concurrentMatches: false,
    presenceTimeoutSeconds: 30,
    inGameHeartbeatTimeoutSeconds: null,
    leaverPenaltySeconds: 0,
    requeueOnFailure: false,
    rating: null,
    ratingField: 'mmr',
    ratedStarts: false,
    inviteCodeConfig: { enabled: true, length: 6, charset: 'alphanumeric', prefix: '' },
    serverSettings: null,
    matchmaking: null,
    createdAt: 0,
    updatedAt: 0,
  }
  return {
    ...empty('owners', 1),
    writes: [
      { kind: 'account', id: account.id, expected: 'absent', put: account },
      { kind: 'project', id: project.id, expected: 'absent', put: project },
      { kind: 'queue', id: queue.id, expected: 'absent', put: queue },
    ],
  }
}

export const ticket = (n: number): QueueTicket => ({
  id: `tic_${String(n).padStart(12, '0')}`,
  version: 1,
  projectId: 'prj_a',
  queueKey: 'prj_a/ranked',
  lobbyId: `lob_${n}`,
  enteredAt: n,
  region: 'iad',
  players: [{ playerId: `player ${n}`, state: { mmr: 1_000 + (n % 1_000), regions: ['iad', 'ewr'] } }],
})

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** Runs `count` calls, `callers` of them at the same time. Returns the calls per second. */
export async function perSecond(
  count: number,
  callers: number,
  call: (n: number) => Promise<unknown>,
): Promise<number> {
  let next = 0
  const start = performance.now()
  const caller = async () => {
    while (next < count) await call(next++)
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (count * 1_000) / (performance.now() - start)
}
