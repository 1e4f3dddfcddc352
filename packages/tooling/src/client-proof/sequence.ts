import { createClient, type Lobby, type LobbySnapshot } from '@matchyard/client'
import { createAdmin } from '@matchyard/client/admin'
import { eventually } from '../eventually'
import { seeded } from '../rounds'
import { fastPlatform } from './fast-platform'
import { FaultProxy } from './fault-proxy'
import { changesOf, historyOf, untilAnswered } from './history'
import { Weather } from './weather'

/** The service under test, at an address that the faults of the test do not affect. */
export interface Ground {
  readonly baseUrl: string
  readonly clientKey: string
  readonly serverKey: string
  /** A queue that makes matches of one player without a game server. */
  readonly queueId: string
}

/** Most milliseconds to wait for a result; this is enough even for a slow machine. */
const LONG_MS = 300_000

/**
 * Plays a random sequence of client actions while faults begin and end. Returns a sentence for each violated
 * expectation.
 */
export async function playSequence(ground: Ground, seed: number): Promise<string[]> {
  const { next } = seeded(seed)
  const platform = fastPlatform(next)
  const proxy = await FaultProxy.start(Number(new URL(ground.baseUrl).port))
  const given = { clientKey: ground.clientKey, log: () => {}, retryForMs: Number.MAX_SAFE_INTEGER }
  const [me, other] = [`ann-${seed}`, `bob-${seed}`]
  // The client retries without a limit, because the test checks only the final result.
  const ann = createClient({ ...given, baseUrl: proxy.url, player: me, platform })
  const bob = createClient({ ...given, baseUrl: ground.baseUrl, player: other })
  const admin = createAdmin({ ...given, baseUrl: ground.baseUrl, serverKey: ground.serverKey })
  const weather = new Weather(proxy, platform, next)
  try {
    const lobby = await ann.lobbies.create({ queueId: ground.queueId, state: { n: 0 }, settings: { k: 0 } })
    const seen: LobbySnapshot[] = []
    const gaps: string[] = []
    lobby.on('change', (now, before) => {
      seen.push(now)
      if (now.version !== before.version + 1) gaps.push(`${before.version} was followed by ${now.version}`)
    })
    const first = lobby.current.version
    const done = await act({ lobby, bob, admin, next })
    await weather.end()
    const final = await admin.lobbies.get(lobby.id)
    await eventually(
      () => lobby.current.version,
      (version) => version >= final.version,
      LONG_MS,
    )
    const history = await historyOf(ground.baseUrl, ground.serverKey, final)
    const wrong = [...gaps, ...judged(history, done, me, other)]
    const expected = history.filter(({ version }) => version > first)
    if (JSON.stringify(seen) !== JSON.stringify(expected)) {
      const versions = (of: readonly LobbySnapshot[]) => of.map(({ version }) => version).join(' ')
      wrong.push(`seen were ${versions(seen)}, and there were ${versions(expected)}`)
    }
    const mine = (await admin.lobbies.get(lobby.id)).host_player_id
    if (mine !== me) wrong.push(`the host is ${mine}`)
    const made = await untilAnswered(() => lobbiesOf(ground, me))
    if (made !== 1) wrong.push(`${made} lobbies were made`)
    return wrong.length === 0 ? [] : [...wrong, weather.told.join(', ')]
  } finally {
    await weather.end()
    ann.close()
    bob.close()
    await proxy.stop()
  }
}

/** Number of requested changes of each kind. */
interface Done {
  readonly states: number
  readonly settings: number
  readonly departures: number
  readonly searches: number
}

interface Players {
  readonly lobby: Lobby
  readonly bob: ReturnType<typeof createClient>
  readonly admin: ReturnType<typeof createAdmin>
  readonly next: () => number
}

async function act({ lobby, bob, admin, next }: Players): Promise<Done> {
  let [states, settings, departures, searches] = [0, 0, 0, 0]
  let theirs: Lobby | undefined
  const steps = 4 + Math.floor(next() * 5)
  for (let index = 0; index < steps; index++) {
    const draw = next()
    if (draw < 0.25) await lobby.setState({ n: ++states })
    else if (draw < 0.4) await lobby.setSettings({ k: ++settings })
    else if (draw < 0.6) {
      if (theirs === undefined) theirs = await bob.lobbies.join({ lobbyId: lobby.id })
      else for (let burst = 0; burst < 4; burst++) await theirs.setState({ burst: `${index} ${burst}` })
    } else if (draw < 0.75 && theirs !== undefined) {
      const there = theirs
      theirs = undefined
      departures++
      if (next() < 0.5) await there.leave()
      else {
        // The client can kick the other player only after the client has seen the join.
        await eventually(
          () => lobby.current.current_players,
          (players) => players === 2,
          LONG_MS,
        )
        await lobby.kick(there.me)
      }
    } else if (theirs === undefined) {
      searches++
      const match = await lobby.findMatch()
      await admin.lobbies.endMatch(lobby.id)
      await match.ended
    }
  }
  return { states, settings, departures, searches }
}

/** Returns a sentence for each requested change that did not happen exactly once and in order. */
function judged(history: readonly LobbySnapshot[], done: Done, me: string, other: string): string[] {
  const wrong: string[] = []
  const upTo = (count: number) => Array.from({ length: count + 1 }, (_, index) => index).join(' ')
  const all = history.filter(({ version }) => version > 1)
  const states = changesOf([0, ...all.map(({ players }) => players.find((one) => one.player_id === me)?.state.n)])
  if (states.join(' ') !== upTo(done.states)) wrong.push(`the states were ${states.join(' ')}`)
  const settings = changesOf([0, ...all.map((lobby) => lobby.settings.k)])
  if (settings.join(' ') !== upTo(done.settings)) wrong.push(`the settings were ${settings.join(' ')}`)
  const present = changesOf([false, ...all.map(({ players }) => players.some((one) => one.player_id === other))])
  const departures = present.slice(1).filter((is) => !is).length
  if (departures !== done.departures) wrong.push(`${departures} departures of ${done.departures}`)
  const searches = changesOf(['waiting', ...all.map(({ status }) => status)]).filter((one) => one === 'in_queue').length
  if (searches !== done.searches) wrong.push(`${searches} searches of ${done.searches}`)
  return wrong
}

async function lobbiesOf({ baseUrl, clientKey }: Ground, player: string): Promise<number> {
  const headers = { 'api-key': clientKey, 'x-player-id': player }
  const answer = await fetch(`${baseUrl}/v1/players/me/lobbies`, { headers })
  if (!answer.ok) throw new Error(`the lobbies of ${player}: ${answer.status}`)
  return ((await answer.json()) as { readonly total: number }).total
}
