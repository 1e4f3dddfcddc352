import { EventReader } from '../../../src/many-nodes/event-reader'
import { percentiles } from '../../../src/many-nodes/percentiles'
import { lobbyIdIn, requestOf, runLoad } from '../load'
import { count, type Met, median, type Row } from '../row'
import { type Ours, startOurs } from '../served'

const QUEUE = 'duels'
const PLAYERS = Number(process.env.BENCH_PLAYERS ?? 10_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const [RATE, P99_MS] = [3_500, 50]
const WARM_UP = PLAYERS / 5
/**
 * The open loop: its length in seconds, and which share of players is watched by the stream of their lobby (every
 * 25th).
 */
const OPEN_SECONDS = 8
const WATCH_EVERY = 25
/** Share of players who must be matched: at the end of a run a few may remain without an opponent. */
const ALL_BUT_A_FEW = 0.99
/** Without a named server a match goes back to the queue after a timeout, which a slow machine must not reach. */
const NO_HURRY = { CAPACITY_TIMEOUT_SECONDS: '3600' }
const LEFT_AFTER_MS = 10_000
const MATCHED_WITHIN_MS = 300_000

/** Measures players who are created, queued and matched, 1v1 by three rules, over HTTP on SQLite. */
export async function playersMatched(): Promise<Row[]> {
  const figures: { rate: number; micros: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await using ours = await startOurs(NO_HURRY)
    const duels = await Duels.of(ours)
    await duels.closedLoop(WARM_UP)
    figures.push(await duels.closedLoop(PLAYERS))
  }
  const rate = median(figures.map((figure) => figure.rate))
  const micros = median(figures.map((figure) => figure.micros))
  const target = 1_000_000 / RATE
  const met: Met = rate >= RATE ? 'yes' : micros <= target ? 'by CPU' : 'NO'
  await using ours = await startOurs(NO_HURRY)
  const duels = await Duels.of(ours)
  await duels.closedLoop(WARM_UP)
  const waits = await duels.openLoop(rate / 2)
  const p99 = [...waits].sort((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? Number.NaN
  const work = 'players created, queued and matched, 1v1, three rules, SQLite, over HTTP'
  return [
    {
      what: `${work}: ${count(PLAYERS)} of them`,
      ours: `${count(rate)}/s, ${count(micros)} µs of CPU`,
      beside: '–',
      ratio: '–',
      target: `≥ ${count(RATE)}/s (${target.toFixed(0)} µs)`,
      met,
    },
    {
      what: `the same, open loop at half of it (${count(rate / 2)}/s): wait`,
      ours: percentiles(waits),
      beside: '–',
      ratio: '–',
      target: `p99 ≤ ${P99_MS} ms`,
      met: p99 <= P99_MS ? 'yes' : 'NO',
    },
  ]
}

class Duels {
  private players = 0

  private constructor(
    private readonly ours: Ours,
    private readonly backend: ReturnType<Ours['world']['client']>,
  ) {}

  static async of(ours: Ours): Promise<Duels> {
    const backend = ours.world.client(ours.world.credentials.server_key)
    const matchmaking = {
      teams: 2,
      players_per_team: 1,
      use_version_from_state: true,
      rules: [{ type: 'difference', field: 'mmr', max_difference: 200 }, { type: 'region' }],
    }
    const body = { queue_id: QUEUE, name: 'Duels', matchmaking, server_settings: { source: 'external' } }
    const answer = await backend.call({ method: 'POST', path: '/v1/queues', body })
    if (answer.status !== 201) throw new Error(`the queue was refused: ${JSON.stringify(answer.body)}`)
    return new Duels(ours, backend)
  }

  /** Sends players as fast as the connections allow, and ends when nearly all of them are matched. */
  async closedLoop(players: number): Promise<{ rate: number; micros: number }> {
    const { served } = this.ours
    const before = { at: performance.now(), cpu: await served.cpuMicros() }
    const matched = (await this.matched()) + players * ALL_BUT_A_FEW
    const until = this.players + players
    // Each connection plays one player after another: first creates the lobby, then queues it.
    await runLoad(
      served.port,
      (last) => {
        if (last?.includes('"status":"waiting"')) return this.enqueue(last)
        return this.players < until ? this.create() : undefined
      },
      { seconds: MATCHED_WITHIN_MS / 1_000 },
    )
    const giveUpAt = performance.now() + MATCHED_WITHIN_MS
    while ((await this.matched()) < matched) {
      if (performance.now() > giveUpAt) throw new Error(`of ${matched} players ${await this.matched()} are matched`)
    }
    const seconds = (performance.now() - before.at) / 1_000
    return { rate: players / seconds, micros: ((await served.cpuMicros()) - before.cpu) / players }
  }

  /**
   * Starts `perSecond` players per second without waiting for earlier ones. Returns the milliseconds from the answer to
   * queueing until the event of the match, for watched players matched within 10 s.
   */
  async openLoop(perSecond: number): Promise<number[]> {
    const { world } = this.ours
    const client = world.client()
    const waits: number[] = []
    const all: Promise<void>[] = []
    const startedAt = performance.now()
    const players = Math.floor(perSecond * OPEN_SECONDS)
    for (let begun = 0; begun < players; ) {
      const due = Math.min(players, ((performance.now() - startedAt) / 1_000) * perSecond)
      for (; begun < due; begun++) all.push(this.playOnce(client, begun % WATCH_EVERY === 0 ? waits : undefined))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await Promise.all(all)
    client.close()
    return waits
  }

  private async playOnce(client: ReturnType<Ours['world']['client']>, waits: number[] | undefined): Promise<void> {
    const player = `p${this.players++}`
    const { body } = await client.call<{ lobby_id: string }>({
      method: 'POST',
      path: '/v1/lobbies',
      player,
      body: lobbyOf(player),
    })
    const { baseUrl, credentials } = this.ours.world
    const watched = { baseUrl, key: credentials.client_key, player, lobbyId: body.lobby_id }
    const reader = waits === undefined ? undefined : await EventReader.open(watched)
    await client.call({ method: 'POST', path: `/v1/lobbies/${body.lobby_id}/queue`, player })
    const queuedAt = performance.now()
    if (waits === undefined || reader === undefined) return
    const left = new Promise<void>((resolve) => setTimeout(resolve, LEFT_AFTER_MS))
    const event = await Promise.race([left, reader.until(({ lobby }) => lobby?.status === 'matched')])
    if (typeof event === 'object') waits.push(Math.max(0, event.at - queuedAt))
    reader.close()
  }

  private create(): string {
    const player = `p${this.players++}`
    return requestOf('POST', '/v1/lobbies', this.headers(player), JSON.stringify(lobbyOf(player)))
  }

  private enqueue(lobby: string): string {
    const player = /"host_player_id":"([^"]+)"/.exec(lobby)?.[1] ?? ''
    return requestOf('POST', `/v1/lobbies/${lobbyIdIn(lobby)}/queue`, this.headers(player))
  }

  private headers = (player: string) => ({ 'api-key': this.ours.world.credentials.client_key, 'x-player-id': player })

  private async matched(): Promise<number> {
    const path = `/v1/lobbies?queue_id=${QUEUE}&status=matched&limit=1`
    return (await this.backend.call<{ total: number }>({ method: 'GET', path })).body.total
  }
}

const REGIONS = ['iad', 'fra', 'ams', 'lhr']

/**
 * Returns the lobby of a player: ratings over the usual range, two versions, and two of four regions. The player's
 * number decides them, so each run uses the same values.
 */
function lobbyOf(player: string) {
  const n = Number(player.slice(1))
  const regions = [REGIONS[n % 4], REGIONS[(n + 1) % 4]]
  return { queue_id: QUEUE, state: { mmr: 500 + ((n * 7_919) % 2_000), game_version: `v${(n >> 2) % 2}`, regions } }
}
