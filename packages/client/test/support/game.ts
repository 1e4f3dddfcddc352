import { createMatchyard, type Matchyard } from '@matchyard/core'
import { createApp } from '@matchyard/http'
import { memoryStorage } from '@matchyard/storage-memory'
import { fakePlatform } from '@matchyard/testkit'
import { createClient, type MatchyardClient } from '../../src/index'

const BASE_URL = 'http://localhost'

/** A service in this process with queues of two players, and the calls that its tests need. */
export interface Game {
  /** Returns a new client of a player, as a newly loaded page has it. */
  client(player: string): MatchyardClient
  /** Forms the matches of a queue, and does all work that follows. */
  match(queueId: string): Promise<void>
  /** Puts two players into a running match of a queue. */
  together(one: MatchyardClient, other: MatchyardClient, queueId: string): Promise<void>
  /** Number of the player's lobbies, and ids of the queues in which the player searches. */
  searchesOf(player: string): Promise<{ lobbies: number; queues: string[] }>
  /** The service, for calls of the studio's backend. */
  readonly matchyard: Matchyard
  readonly projectId: string
  /** Calls that the clients made, as `POST /v1/lobbies`. */
  readonly calls: readonly string[]
  /** Answers in place of the service's, by path. */
  readonly answers: Map<string, object>
  stop(): Promise<void>
}

/** Starts the service on fakes and a storage in memory, without a network. */
export async function startGame(queueIds: readonly string[]): Promise<Game> {
  const platform = fakePlatform()
  const matchyard = createMatchyard({ ...platform, storage: memoryStorage() })
  await matchyard.open()
  const app = createApp(matchyard, { clock: platform.clock, timers: platform.clock, logger: platform.logger })
  const { id: projectId, accountId } = await matchyard.projects.ensure({ name: 'Game' })
  const clientKey = (await matchyard.keys.mint({ accountId, projectId, type: 'client' })).value ?? ''
  for (const queueId of queueIds) {
    await matchyard.queues.create({ projectId, queueId, name: queueId, matchmaking: { teams: 2, playersPerTeam: 1 } })
  }
  const opened: MatchyardClient[] = []
  const calls: string[] = []
  const answers = new Map<string, object>()
  const fetch = (async (url: string, init: RequestInit) => {
    calls.push(`${init.method} ${url.slice(BASE_URL.length)}`)
    const answer = answers.get(url.slice(BASE_URL.length))
    return answer === undefined ? app.request(url, init) : Response.json(answer)
  }) as typeof globalThis.fetch

  const match = async (queueId: string) => {
    await matchyard.matchmaking.runQueue(`${projectId}/${queueId}`)
    while ((await matchyard.worker.runDueJobs()) > 0);
  }
  const searchesOf = async (playerId: string) => {
    const { searches, lobbies } = await matchyard.players.self({ projectId, playerId })
    return { lobbies: lobbies.length, queues: searches.map(({ queueId }) => queueId) }
  }
  return {
    client(player) {
      const client = createClient({ baseUrl: BASE_URL, clientKey, player, log: () => {}, platform: { fetch } })
      opened.push(client)
      return client
    },
    match,
    async together(one, other, queueId) {
      const playing = [one.play(queueId), other.play(queueId)]
      for (const client of [one, other]) {
        const player = await client.playerId()
        while (!(await searchesOf(player)).queues.includes(queueId)) await new Promise((next) => setImmediate(next))
      }
      await match(queueId)
      await Promise.all(playing)
    },
    searchesOf,
    matchyard,
    projectId,
    calls,
    answers,
    async stop() {
      for (const client of opened) client.close()
      await matchyard.stop()
    },
  }
}
