import type { FeedChange, FeedMessage, FeedView, Matchyard } from '@matchyard/core'
import { CHANGE_KINDS, type ChangeKind } from '@matchyard/core/ports'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Service, service, settled } from './service'

/** Number of runs; a full proof sets more. */

const RUNS = Number(process.env.MATCHYARD_PROVE ?? 30)
const PROJECTS = ['red', 'blue', 'green'] as const
const PACE = 100

const quiet = async () => {
  for (let turn = 0; turn < 8; turn++) await settled()
}

/** Reader that follows a project's feed at its own pace, and reads the present state again after a gap. */
class Reader {
  readonly told: FeedChange[] = []
  readonly known = new Map<string, unknown>()
  private waiting: Promise<FeedMessage | undefined> | undefined
  private isWhole = false

  constructor(
    private readonly matchyard: Matchyard,
    readonly projectId: string,
    readonly kinds: readonly ChangeKind[],
    private feed: FeedView,
  ) {}

  /** Takes up to `count` of the messages that are ready. */
  async take(count: number): Promise<void> {
    for (let taken = 0; taken < count; taken++) {
      this.waiting ??= this.feed.next()
      const message = await Promise.race([this.waiting, quiet()])
      if (message === undefined) return
      this.waiting = undefined
      await this.hear(message)
    }
  }

  private async hear(message: FeedMessage): Promise<void> {
    if (message.event === 'change') this.learn(message)
    else if (message.event === 'gap' || !this.isWhole) await this.readAgain()
  }

  /** Closes the feed and continues from its cursor. */
  async resume(): Promise<void> {
    this.feed.close()
    const last = await this.waiting
    this.waiting = undefined
    if (last !== undefined) await this.hear(last)
    const { cursor } = this.feed
    this.feed = await this.matchyard.feed(this.projectId, {
      kinds: this.kinds,
      cursor: this.isWhole ? cursor : undefined,
    })
  }

  close(): void {
    this.feed.close()
  }

  private learn(change: FeedChange): void {
    this.told.push(change)
    if (change.data === null) this.known.delete(`${change.kind} ${change.id}`)
    else this.known.set(`${change.kind} ${change.id}`, change.data)
  }

  private async readAgain(): Promise<void> {
    this.known.clear()
    for (const [name, data] of await shown(this.matchyard, this.projectId, this.kinds)) this.known.set(name, data)
    this.isWhole = true
  }
}

/** Returns the present state of the project, as its read calls return it. */
async function shown(matchyard: Matchyard, projectId: string, kinds: readonly ChangeKind[]) {
  const all = new Map<string, unknown>()
  const page = { projectId, limit: 100 }
  const lobbies = (await matchyard.lobbies.browse({ ...page, backend: true, includePrivate: true })).data
  const servers = (await matchyard.servers.list(page)).data
  for (const one of lobbies) all.set(`lobby ${one.id}`, one)
  for (const one of servers) all.set(`server ${one.id}`, one)
  for (const one of (await matchyard.queues.list(page)).data) all.set(`queue ${one.queueId}`, one)
  for (const one of (await matchyard.builds.list(page)).data) all.set(`build ${one.id}`, one)
  for (const matchId of new Set(servers.flatMap((one) => one.matchId ?? []))) {
    all.set(`match ${matchId}`, await matchyard.matches.get({ projectId, matchId }))
  }
  return [...all].filter(([name]) => kinds.includes(name.split(' ')[0] as ChangeKind))
}

type Step =
  | {
      readonly do: 'create' | 'change' | 'start' | 'end' | 'delete' | 'queue' | 'build' | 'stop'
      readonly in: number
      readonly which: number
    }
  | { readonly do: 'time'; readonly ms: number }
  | { readonly do: 'read' | 'resume'; readonly reader: number; readonly count: number }

const number = fc.nat({ max: 9 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('create', 'create', 'change', 'start', 'end', 'delete', 'queue', 'build', 'stop'),
      in: fc.nat({ max: PROJECTS.length - 1 }),
      which: number,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.constantFrom(1, 50, PACE, 300) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('read', 'read', 'resume'),
      reader: fc.nat({ max: 5 }),
      count: fc.nat({ max: 20 }),
    }),
  },
)
const readersOf = fc.array(
  fc.record({ in: fc.nat({ max: PROJECTS.length - 1 }), kinds: fc.subarray([...CHANGE_KINDS], { minLength: 1 }) }),
  { minLength: 2, maxLength: 6 },
)

async function perform(given: Service, projectIds: readonly string[], one: Extract<Step, { in: number }>) {
  const { matchyard } = given
  const projectId = projectIds[one.in] ?? ''
  const lobbies = (await matchyard.lobbies.browse({ projectId, backend: true, includePrivate: true })).data
  const lobby = lobbies[one.which % Math.max(1, lobbies.length)]
  const servers = (await matchyard.servers.list({ projectId })).data
  const on = { projectId, lobbyId: lobby?.id ?? '', playerId: lobby?.hostPlayerId ?? '' }
  const acts: Record<typeof one.do, () => Promise<unknown>> = {
    create: () => matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: `p${one.which}` }),
    change: () => matchyard.lobbies.updateSettings({ ...on, changes: { name: `name ${one.which}` } }),
    start: () => matchyard.lobbies.start(on),
    end: () => matchyard.lobbies.end({ ...on, backend: true }),
    delete: () => matchyard.lobbies.delete({ ...on, backend: true }),
    queue: () => matchyard.queues.update({ projectId, queueId: 'duel', changes: { name: `queue ${one.which}` } }),
    build: () => matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: `games/arena:${one.which}` }),
    stop: () =>
      matchyard.servers.stop({ projectId, instanceId: servers[one.which % Math.max(1, servers.length)]?.id ?? '' }),
  }
  // Many of the random acts are refused.
  await acts[one.do]().catch(() => {})
  await matchyard.worker.runDueJobs()
}

describe('whoever follows a feed', () => {
  it(`is told of their own project only, and ends with what everybody is answered (${RUNS} runs)`, async () => {
    await fc.assert(
      fc.asyncProperty(
        readersOf,
        fc.array(step, { minLength: 10, maxLength: 60 }),
        fc.boolean(),
        async (readers, steps, isTight) => {
          // With almost no memory for batches, a slow reader misses some.
          const given = await service(undefined, isTight ? { streams: { feedBytes: 8_000 } } : {})
          const { matchyard, clock } = given
          const projectIds: string[] = []
          for (const name of PROJECTS) {
            const { id: projectId } = await matchyard.projects.ensure({ name })
            projectIds.push(projectId)
            const serverSettings = { versionTag: 'arena' }
            await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', serverSettings })
            await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:0' })
          }
          await matchyard.worker.runDueJobs()
          const following: Reader[] = []
          for (const { in: index, kinds } of readers) {
            const projectId = projectIds[index] ?? ''
            following.push(new Reader(matchyard, projectId, kinds, await matchyard.feed(projectId, { kinds })))
          }
          for (const one of steps) {
            if (one.do === 'time') clock.advance(one.ms)
            else if ('in' in one) await perform(given, projectIds, one)
            else if (one.do === 'read') await following[one.reader % following.length]?.take(one.count)
            else await following[one.reader % following.length]?.resume()
          }
          for (let turn = 0; turn < 4; turn++) {
            for (const reader of following) await reader.take(1_000)
            clock.advance(PACE)
          }
          for (const reader of following) {
            const { projectId, kinds } = reader
            for (const { kind, data } of reader.told) {
              expect(kinds).toContain(kind)
              expect(JSON.stringify(data ?? projectId)).toContain(projectId)
              for (const other of projectIds) if (other !== projectId) expect(JSON.stringify(data)).not.toContain(other)
            }
            for (const [name, data] of await shown(matchyard, projectId, kinds))
              expect([name, reader.known.get(name)]).toEqual([name, data])
            reader.close()
          }
          await matchyard.stop()
        },
      ),
      {
        numRuns: RUNS,
        examples: [
          // A cursor leads to no shared batch when changes of its reader's kinds were skipped meanwhile.
          [
            [
              { in: 0, kinds: ['server'] },
              { in: 0, kinds: ['lobby', 'queue'] },
            ],
            [
              { do: 'read', reader: 1, count: 2 },
              { do: 'create', in: 0, which: 0 },
              { do: 'time', ms: 1 },
              { do: 'create', in: 0, which: 0 },
              { do: 'read', reader: 0, count: 0 },
              { do: 'time', ms: 100 },
              { do: 'resume', reader: 1, count: 0 },
              { do: 'create', in: 0, which: 0 },
            ],
            false,
          ],
        ],
      },
    )
  })
})
