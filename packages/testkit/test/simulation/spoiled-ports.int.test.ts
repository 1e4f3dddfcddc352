import type { Match } from '@matchyard/core'
import type { ObservedServer, Storage, Write } from '@matchyard/core/ports'
import { goBackTo, type MemoryData } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type SimulatedPorts, type SimulationOptions, simulate } from '../../src/simulation/index'
import { LATE_JOINS, RESTARTS, RESULTS } from './worlds'

/** Returns the first violated invariant in the runs of many seeds. Many are needed, because few runs reach the faulty part of a port. */
async function firstBroken(options: Omit<SimulationOptions, 'seed'>, seeds = 300): Promise<string | undefined> {
  for (let seed = 1; seed <= seeds; seed++) {
    const { failure } = await simulate({ seed, steps: 100, shrinkTries: 0, ...options })
    if (failure !== undefined) return failure.invariant
  }
  return undefined
}

/** Returns the write of an arrival batch under another id. */
const again = (write: Write): Write =>
  write.kind === 'arrivals' && 'put' in write
    ? { ...write, id: `${write.id}-again`, put: { ...write.put, id: `${write.id}-again` } }
    : write
const isOdd = (write: Write) => write.kind === 'queue-version' && 'put' in write && write.put.number % 2 === 1

const nameOf = ({ instanceId, attempt }: ObservedServer) => `${instanceId}#${attempt}`
const portFailure = (message: string) => Object.assign(new Error(message), { name: 'PortFailure' })

/** Returns ports whose commits write another match than the service asks for. */
const writing =
  (spoiled: (match: Match, before: Match | undefined) => Match) =>
  ({ storage }: SimulatedPorts): Partial<SimulatedPorts> => ({
    storage: {
      ...storage,
      async commit(change) {
        const writes = change.writes.map(async (write) =>
          write.kind === 'match' && 'put' in write
            ? { ...write, put: spoiled(write.put, await storage.get('match', write.id)) }
            : write,
        )
        return storage.commit({ ...change, writes: await Promise.all(writes) })
      },
    },
  })

describe('the simulator sees', { timeout: 300_000 }, () => {
  it('an orchestrator in which one damaged file hides every other game server', async () => {
    const broken = await firstBroken({
      faults: ['attempt-damaged'],
      spoil: ({ orchestrator }) => ({
        orchestrator: {
          ...orchestrator,
          observe: async () => {
            const seen = await orchestrator.observe()
            if (seen.some(({ exit }) => exit?.code === null && exit.signal === null)) {
              throw portFailure('Unexpected end of JSON input')
            }
            return seen
          },
        },
      }),
    })
    expect(broken).toMatch(/^no(LobbyIsStuck|ServerIsStuck|ServerIsAGhost|ProcessIsAnOrphan)$/)
  })

  it('a storage that forgets which restarts are still to come up', async () => {
    const forgetful = (write: Write): Write => {
      if (write.kind !== 'server' || !('put' in write)) return write
      const { comingUp: _, ...put } = write.put
      return { ...write, put }
    }
    const broken = await firstBroken({
      faults: ['never-ready'],
      often: RESTARTS,
      loop: true,
      spoil: ({ storage }) => ({
        storage: { ...storage, commit: (all) => storage.commit({ ...all, writes: all.writes.map(forgetful) }) },
      }),
    })
    // A server that is not known to be starting is metered as if it ran.
    expect(broken).toMatch(/^(runningServersWereReady|secondsAreMeteredOnce)$/)
  })

  it('an orchestrator that never says that a restart is ready', async () => {
    const unready = (seen: ObservedServer): ObservedServer =>
      seen.state === 'ready' && seen.attempt > 1 ? { ...seen, state: 'starting' } : seen
    const broken = await firstBroken({
      faults: [],
      often: RESTARTS,
      loop: true,
      spoil: ({ orchestrator }) => ({
        orchestrator: { ...orchestrator, observe: async (of) => (await orchestrator.observe(of)).map(unready) },
      }),
    })
    expect(broken).toBe('readyServersAreNotEnded')
  })

  it('a commit that loses its messages', async () => {
    const broken = await firstBroken({
      faults: false,
      spoil: ({ storage }) => ({
        storage: {
          ...storage,
          commit: (change) =>
            storage.commit({ ...change, writes: change.writes.filter(({ kind }) => kind !== 'message') }),
        },
      }),
    })
    expect(broken).toBe('everyMessageHasItsEvent')
  })

  it.each<[string, (writes: readonly Write[]) => readonly Write[], string]>([
    [
      'loses who left a queue',
      (writes) => writes.filter(({ kind }) => kind !== 'arrivals'),
      'everyEndedStayIsRecordedOnce',
    ],
    [
      'records who left a queue twice',
      (writes) => writes.flatMap((write) => (write.kind === 'arrivals' ? [write, again(write)] : [write])),
      'everyEndedStayIsRecordedOnce',
    ],
    [
      'loses what a queue was changed to',
      (writes) => writes.filter((write) => write.kind !== 'queue-version' || !isOdd(write)),
      'aQueuesHistoryHasNoGap',
    ],
  ])('a commit that %s', async (_, spoiled, invariant) => {
    const broken = await firstBroken({
      faults: false,
      spoil: ({ storage }) => ({
        storage: {
          ...storage,
          commit: (change) => storage.commit({ ...change, writes: spoiled(change.writes) }),
        },
      }),
    })
    expect(broken).toBe(invariant)
  })

  it.each<[string, (match: Match, before: Match | undefined) => Match]>([
    [
      'keeps a seat that is taken',
      (match, before) =>
        match.endedAt === null && before?.keptSeats !== undefined ? { ...match, keptSeats: before.keptSeats } : match,
    ],
    [
      'keeps a seat for two players',
      (match) => {
        const twice = match.keptSeats?.flatMap((seat) => [
          seat,
          { ...seat, playerId: `${seat.playerId}_2`, keptBy: null },
        ])
        return twice === undefined ? match : { ...match, keptSeats: twice }
      },
    ],
  ])('a commit that %s', async (_, spoiled) => {
    const broken = await firstBroken({
      faults: false,
      often: LATE_JOINS,
      spoil: writing(spoiled),
    })
    expect(broken).toBe('noSeatIsGivenTwice')
  })

  it.each<[string, (match: Match, before: Match | undefined) => Match]>([
    [
      'records an amendment as a first result',
      (match) => (match.result === undefined ? match : { ...match, result: { ...match.result, amendedAt: null } }),
    ],
    [
      'loses the result of a match that ends',
      (match, before) => {
        const { result: _, ...rest } = match
        return before?.result === undefined || match.endedAt === null ? match : rest
      },
    ],
  ])('a commit that %s', async (_, spoiled) => {
    expect(await firstBroken({ faults: false, often: RESULTS, spoil: writing(spoiled) })).toBe('aMatchHasOneResult')
  })

  it('a sender whose jobs are lost', async () => {
    const broken = await firstBroken({
      faults: false,
      spoil: ({ storage }) => ({
        storage: {
          ...storage,
          commit: (change) =>
            storage.commit({ ...change, jobs: change.jobs.filter(({ kind }) => kind !== 'send-delivery') }),
        },
      }),
    })
    expect(broken).toBe('dueDeliveriesAreSent')
  })

  it('an orchestrator that never finds again what it overlooked once', async () => {
    const seenAlive = new Set<string>()
    const lost = new Set<string>()
    const broken = await firstBroken({
      faults: ['attempt-overlooked'],
      spoil: ({ orchestrator }) => ({
        orchestrator: {
          ...orchestrator,
          observe: async () => {
            const seen = await orchestrator.observe()
            for (const name of seenAlive) if (!seen.some((one) => nameOf(one) === name)) lost.add(name)
            for (const one of seen) if (one.state !== 'exited') seenAlive.add(nameOf(one))
            return seen.filter((one) => !lost.has(nameOf(one)))
          },
        },
      }),
    })
    expect(broken).toMatch(/^(noProcessIsAnOrphan|noRunningProcessIsForgotten)$/)
  })

  it('a storage adapter that waits for ever where nobody answers', async () => {
    const patient =
      <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
      (...args: A) =>
        call(...args).catch((error: unknown) => {
          if (/no answer|is unknown/.test(String(error))) return new Promise<T>(() => {})
          throw error
        })
    const broken = await firstBroken({
      loop: true,
      faults: ['storage-silent'],
      spoil: ({ storage }) => ({
        storage: { ...storage, commit: patient(storage.commit), get: patient(storage.get) as Storage['get'] },
      }),
    })
    // The call that never returns may also belong to the reader of a stream or a feed.
    expect(broken).toMatch(
      /^(no(LobbyIsStuck|ServerIsStuck|ServerIsAGhost|bodyWaitsInVain|SearchOutlivesItsMatch)|aReaderMissesNothing|aFeedShowsTheAnswers)$/,
    )
  })

  it('an adapter that logs after its commit, into a log that refuses', async () => {
    const broken = await firstBroken({
      faults: ['log-refuses'],
      spoil: ({ storage, logger }) => ({
        storage: {
          ...storage,
          commit: async (change) => {
            const result = await storage.commit(change)
            logger.debug('committed')
            return result
          },
        },
      }),
    })
    expect(broken).toBe('callsFailByTheCatalogue')
  })

  it('nodes that are never given up: their game servers run for ever in the record', async () => {
    let sightings = 0
    const broken = await firstBroken({
      nodes: 2,
      loop: true,
      faults: false,
      nodesGone: true,
      often: [...RESTARTS, 'node-gone'],
      spoil: ({ storage }) => ({
        storage: {
          ...storage,
          presence: {
            ...storage.presence,
            read: async (scope) =>
              scope.startsWith('node:') ? [{ member: 'node', at: ++sightings }] : storage.presence.read(scope),
          },
        },
      }),
    })
    expect(broken).toMatch(/^no(ServerIsAGhost|ServerIsStuck|LobbyIsStuck)$/)
  })

  it('a storage that goes back and tells nobody, under cursors that look the same', async () => {
    const unnoticed = (data: MemoryData, copy: MemoryData) => {
      const { history } = data
      const listeners = [...data.listeners]
      data.listeners.clear()
      goBackTo(data, copy)
      for (const listener of listeners) data.listeners.add(listener)
      data.history = history
    }
    const broken = await firstBroken({ nodes: 1, loop: true, faults: false, goBack: unnoticed })
    expect(broken).toMatch(/^(aReaderMissesNothing|aFeedEndsWithTheStore|noLobbyIsStuck)$/)
  })

  it('claims that outlive their owner, as those of a node that never comes back', async () => {
    const broken = await firstBroken({
      nodes: 3,
      loop: true,
      steps: 140,
      faults: ['storage-slow', 'launch-refused'],
      nodesGone: true,
      spoil: ({ storage }) => ({
        storage: {
          ...storage,
          jobs: { ...storage.jobs, claim: (request) => storage.jobs.claim({ ...request, leaseMs: 3_600_000 }) },
        },
      }),
    })
    // The work that no node takes up again may also be a delivery, or the end of a player's other search.
    expect(broken).toMatch(/^(no(ServerIsStuck|LobbyIsStuck|SearchOutlivesItsMatch)|dueDeliveriesAreSent)$/)
  })
})
