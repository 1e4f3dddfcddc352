import type { Endpoint, Lobby, Match } from '@matchyard/client'
import type { Credentials } from '@matchyard/example-arena'
import { GameClient } from './game-client'
import { Player, type Table } from './players'
import { Studio } from './studio'

export type { Credentials } from '@matchyard/example-arena'

export interface Step {
  /** Milliseconds since the demo began. */
  readonly atMs: number
  readonly what: string
}

export interface Played {
  readonly steps: readonly Step[]
  /** Milliseconds from entering the queue to both lobbies waiting again. */
  readonly matchMs: number
}

export interface PlayOptions {
  /** Container image of the game server, registered instead of an uploaded archive; the service must run containers. */
  readonly image?: string | undefined
  /** Whether the players are asked before the match is made. */
  readonly readyCheck?: boolean | undefined
  /** Whether a player leaves the running match and the seat is filled again. */
  readonly backfill?: boolean | undefined
  /** Archive of a game server other than the example's. */
  readonly archive?: Uint8Array | undefined
  /** Function that calls the service; the runtime's `fetch` by default. */
  readonly fetch?: typeof fetch | undefined
}

const PARTIES = [
  ['ann', 'ben'],
  ['cat', 'dan'],
] as const

/**
 * Milliseconds for which calls are retried: short, so that the demo soon shows that the service is gone. A game waits
 * longer.
 */
const RETRY_FOR_MS = 5_000

/**
 * Runs the main flow with the client: uploads a build; two parties meet by invite code, enter the queue and are
 * matched; the players talk through a real game server over UDP and return to their lobbies after the match. Throws
 * when any step fails.
 */
export async function play(
  credentials: Credentials,
  tell: (step: Step) => void = () => {},
  { image, archive, readyCheck = false, backfill = false, fetch = globalThis.fetch }: PlayOptions = {},
): Promise<Played> {
  const startedAt = performance.now()
  const steps: Step[] = []
  const step = (what: string) => {
    const done = { atMs: performance.now() - startedAt, what }
    steps.push(done)
    tell(done)
    return done.atMs
  }
  const calls = { retryForMs: RETRY_FOR_MS, fetch }
  const studio = new Studio(credentials, calls, `demo-${Date.now().toString(36)}`)
  if (image === undefined) await studio.upload(archive)
  else await studio.register(image)
  step(image === undefined ? 'the build is uploaded and ready' : `the image ${image} is registered and ready`)
  await studio.makeQueue(readyCheck)
  step('the queue is made')
  const table: Table = { credentials, queueId: studio.queueId, ...calls, seated: [] }
  try {
    const parties = await Promise.all(PARTIES.map((party) => gather(table, party)))
    step('two parties have met by invite code')
    const whole = playMatch(table, parties.flat(), { studio, readyCheck, backfill, step })
    const matchMs = await Promise.race([whole, ...table.seated.map((player) => player.abandoned(RETRY_FOR_MS))])
    return { steps, matchMs }
  } finally {
    for (const player of table.seated) player.leaveTable()
  }
}

/** Creates a lobby for the first player of a party; the second joins by its invite code. */
async function gather(table: Table, [first, second]: (typeof PARTIES)[number]): Promise<[Player, Player]> {
  const host = await Player.in(table, first, 1500)
  return [host, await Player.in(table, second, 1540, host.lobby.inviteCode)]
}

interface PlayOfMatch {
  readonly studio: Studio
  readonly readyCheck: boolean
  readonly backfill: boolean
  readonly step: (what: string) => number
}

/** Plays a match, from the queue until the lobbies wait again. Returns its duration in milliseconds. */
async function playMatch(
  table: Table,
  players: readonly Player[],
  { studio, readyCheck, backfill, step }: PlayOfMatch,
): Promise<number> {
  await Promise.all(players.map((player) => player.following()))
  const queuedAt = step('all four follow their lobbies')
  const queued = players.map((player) => player.until(({ status }) => status === 'in_queue'))
  // The hosts enter the queue with their lobbies; the other members follow.
  const searches = Promise.all(players.map((player) => player.search()))
  await Promise.race([Promise.all(queued), searches])
  step('both are in the queue')
  if (readyCheck) {
    await Promise.race([Promise.all(players.map(({ accepted }) => accepted)), searches])
    step('a match was proposed, and all four have accepted')
  }
  const matches = await searches
  const { host, port } = gamePort(matches[0])
  step(`matched, and the game server runs: ${host}:${port}`)
  let playing = matches
  if (backfill) {
    playing = await fillSeat(table, studio, matches)
    step('dan has left the running match, and eve has taken the seat')
  }
  await talk(playing)
  step('four players have talked through the server over UDP, and the match is over')
  await Promise.all(playing.map(({ ended }) => ended))
  const endedAt = step(backfill ? 'all three lobbies are waiting again' : 'both lobbies are waiting again')
  return endedAt - queuedAt
}

/** Lets the last player of a running match leave; the backend requests a newcomer, and a searching player joins. */
async function fillSeat(table: Table, studio: Studio, matches: readonly Match<Lobby>[]): Promise<Match<Lobby>[]> {
  const leaver = matches.at(-1)
  if (leaver === undefined) throw new Error('there is nobody to leave')
  await leaver.lobby.leave()
  await studio.fillSeats(leaver.id)
  const newcomer = await Player.in(table, 'eve', 1520)
  const joined = await newcomer.search()
  if (joined.id !== leaver.id) throw new Error('eve is in another match')
  return [...matches.slice(0, -1), joined]
}

const gamePort = (match: Match<Lobby> | undefined): Endpoint => {
  if (match === undefined) throw new Error('there is no match')
  return match.endpoint('game')
}

/** Each player greets the server and hears the others; then one player ends the match. */
async function talk(matches: readonly Match<Lobby>[]): Promise<void> {
  const clients = matches.map((match) => new GameClient(match.me.playerId, gamePort(match)))
  try {
    await Promise.all(
      clients.map((client) => client.ask(`hello ${client.player}`, new RegExp(`^welcome ${client.player} `))),
    )
    for (const speaker of clients) {
      speaker.send(`say I am ${speaker.player}`)
      const others = clients.filter((client) => client !== speaker)
      const heard = await Promise.all(
        others.map((client) => client.hear(new RegExp(`^from ${speaker.player} I am ${speaker.player}`))),
      )
      if (heard.includes(undefined)) throw new Error(`not everybody heard ${speaker.player}`)
    }
    await clients[0]?.ask('over', /^bye/)
  } finally {
    for (const client of clients) client.close()
  }
}
