import { packGameServer } from '@matchyard/example-game-server'
import { type Credentials, call, type Lobby } from './api'
import { Follower } from './follow'
import { GameClient } from './game-client'

export type { Credentials } from './api'

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
  /** A container image of the game server, registered instead of uploading its archive; the service must run containers. */
  readonly image?: string | undefined
  /** The players are asked before the match is made. */
  readonly readyCheck?: boolean | undefined
  /** A player leaves the running match, and the seat is filled. */
  readonly backfill?: boolean | undefined
  /** The archive of another game server than the example's. */
  readonly archive?: Uint8Array | undefined
}

const PARTIES = [
  ['ann', 'ben'],
  ['cat', 'dan'],
] as const

/**
 * The main job, over the public interface alone: a build is uploaded, two parties meet by invite code and queue, are matched, talk
 * through a real game server over UDP, and are back in their lobbies when the match is over. Throws where anything goes wrong.
 */
export async function play(
  credentials: Credentials,
  tell: (step: Step) => void = () => {},
  { image, archive, readyCheck = false, backfill = false }: PlayOptions = {},
): Promise<Played> {
  const startedAt = performance.now()
  const steps: Step[] = []
  const step = (what: string) => {
    const done = { atMs: performance.now() - startedAt, what }
    steps.push(done)
    tell(done)
    return done.atMs
  }
  const name = `demo-${Date.now().toString(36)}`
  const buildId =
    image === undefined ? await uploadBuild(credentials, name, archive) : await registerImage(credentials, name, image)
  await untilReady(credentials, buildId)
  step(image === undefined ? 'the build is uploaded and ready' : `the image ${image} is registered and ready`)
  await makeQueue(credentials, name, readyCheck)
  step('the queue is made')
  const lobbies = await Promise.all(PARTIES.map((party) => gather(credentials, name, party)))
  step('two parties have met by invite code')
  const opened = await Promise.allSettled(
    lobbies.map((lobby, index) => Follower.open(credentials, lobby.lobby_id, PARTIES[index]?.[0] ?? '')),
  )
  const followers = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  try {
    for (const one of opened) if (one.status === 'rejected') throw one.reason
    const matchMs = await playMatch(credentials, lobbies, followers, { name, readyCheck, backfill, step })
    return { steps, matchMs }
  } finally {
    // An open stream would keep this process alive, whatever has become of the match.
    for (const follower of followers) follower.close()
  }
}

interface PlayOfMatch {
  readonly name: string
  readonly readyCheck: boolean
  readonly backfill: boolean
  readonly step: (what: string) => number
}

/** From the queue to the lobbies waiting again; answers how long that took, in milliseconds. */
async function playMatch(
  credentials: Credentials,
  lobbies: readonly Lobby[],
  followers: Follower[],
  { name, readyCheck, backfill, step }: PlayOfMatch,
): Promise<number> {
  const queuedAt = step('both follow their event streams')
  await Promise.all(
    lobbies.map((lobby, index) =>
      call(credentials, 'POST', `/v1/lobbies/${lobby.lobby_id}/queue`, { player: PARTIES[index]?.[0] ?? '' }),
    ),
  )
  step('both are in the queue')
  if (readyCheck) {
    await Promise.all(followers.map((follower, index) => accept(credentials, follower, PARTIES[index] ?? [])))
    step('a match was proposed, and all four have accepted')
  }
  const playing = await Promise.all(
    followers.map((follower) => follower.until((lobby) => lobby.status === 'in_game' || lobby.last_exit !== null)),
  )
  for (const { last_exit: exit } of playing) {
    if (exit !== null) throw new Error(`the match came to nothing (${exit.reason}): ${exit.detail}`)
  }
  step(`matched, and the game server runs: ${addressOf(playing[0])}`)
  if (backfill) {
    const { lobby, follower } = await fillSeat(credentials, name, playing)
    followers.push(follower)
    step('dan has left the running match, and eve has taken the seat')
    await talk([...playing, lobby], [PARTIES[0], ['cat'], ['eve']])
  } else await talk(playing, PARTIES)
  step('four players have talked through the server over UDP, and the match is over')
  await Promise.all(followers.map((follower) => follower.until(({ status }) => status === 'waiting')))
  const endedAt = step(backfill ? 'all three lobbies are waiting again' : 'both lobbies are waiting again')
  return endedAt - queuedAt
}

/** Each of a party says yes to the match that is proposed to its lobby. */
async function accept(credentials: Credentials, follower: Follower, party: readonly string[]): Promise<void> {
  const { lobby_id, proposal } = await follower.until((lobby) => lobby.proposal !== undefined)
  const body = { match_id: proposal?.match_id }
  for (const player of party) {
    await call(credentials, 'POST', `/v1/lobbies/${lobby_id}/proposal/accept`, { player, body })
  }
}

/** One of a running match leaves, the backend asks for somebody, and whoever searches comes. */
async function fillSeat(credentials: Credentials, name: string, [, lobby]: readonly Lobby[]) {
  if (lobby === undefined) throw new Error('there is no second lobby')
  await call(credentials, 'POST', `/v1/lobbies/${lobby.lobby_id}/leave`, { player: 'dan' })
  await call(credentials, 'POST', `/v1/matches/${lobby.match_id}/backfill`, { backend: true })
  const body = { queue_id: name.replaceAll('-', '_'), state: { mmr: 1520 } }
  const made = await call<Lobby>(credentials, 'POST', '/v1/lobbies', { player: 'eve', body })
  const follower = await Follower.open(credentials, made.lobby_id, 'eve')
  await call(credentials, 'POST', `/v1/lobbies/${made.lobby_id}/queue`, { player: 'eve' })
  const joined = await follower.until(({ status }) => status === 'in_game')
  if (joined.match_id !== lobby.match_id) throw new Error('eve is in another match')
  return { lobby: joined, follower }
}

async function uploadBuild(credentials: Credentials, name: string, archive: Uint8Array | undefined): Promise<string> {
  const body = { name, executable_path: 'server.mjs' }
  const upload = await call<{ build_id: string; upload_url: string }>(credentials, 'POST', '/v1/builds/upload-url', {
    body,
    backend: true,
  })
  const put = await fetch(upload.upload_url, {
    method: 'PUT',
    body: new Uint8Array(archive ?? (await packGameServer())),
  })
  if (put.status !== 204) throw new Error(`the upload answered ${put.status}: ${await put.text()}`)
  return upload.build_id
}

async function registerImage(credentials: Credentials, name: string, image: string): Promise<string> {
  const body = { name, image_url: image }
  const path = '/v1/builds/docker-image'
  return (await call<{ build_id: string }>(credentials, 'POST', path, { body, backend: true })).build_id
}

async function untilReady(credentials: Credentials, buildId: string): Promise<void> {
  for (;;) {
    const build = await call<{ status: string; error_message: string | null }>(
      credentials,
      'GET',
      `/v1/builds/${buildId}`,
      { backend: true },
    )
    if (build.status === 'ready') return
    if (build.status === 'failed') throw new Error(`the build failed: ${build.error_message}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function makeQueue(credentials: Credentials, name: string, readyCheck: boolean): Promise<void> {
  await call(credentials, 'POST', '/v1/queues', {
    backend: true,
    body: {
      queue_id: name.replaceAll('-', '_'),
      name: 'Demo: two against two',
      max_players: 2,
      server_settings: {
        version_tag: name,
        network_ports: [
          { name: 'game', protocol: 'udp', internal_port: 7777 },
          { name: 'control', protocol: 'tcp', internal_port: 7778 },
        ],
      },
      matchmaking: {
        teams: 2,
        players_per_team: 2,
        rules: [{ type: 'difference', field: 'mmr', max_difference: 200 }],
        ...(readyCheck ? { ready_check: { timeout: 15 } } : {}),
      },
    },
  })
}

/** The first of a party makes a lobby, the other joins it by its invite code. */
async function gather(
  credentials: Credentials,
  name: string,
  [host, friend]: readonly [string, string],
): Promise<Lobby> {
  const queueId = name.replaceAll('-', '_')
  const lobby = await call<Lobby>(credentials, 'POST', '/v1/lobbies', {
    player: host,
    body: { queue_id: queueId, is_private: true, state: { mmr: 1500 } },
  })
  const body = { invite_code: lobby.invite_code, state: { mmr: 1540 } }
  return call<Lobby>(credentials, 'POST', '/v1/lobbies/join', { player: friend, body })
}

const gamePort = (lobby: Lobby | undefined) => lobby?.server?.network_ports.find(({ name }) => name === 'game')

function addressOf(lobby: Lobby | undefined): string {
  const port = gamePort(lobby)
  return `${port?.host}:${port?.external_port}`
}

/** Everybody greets the server, hears everybody else, and one of them ends the match. */
async function talk(lobbies: readonly Lobby[], parties: readonly (readonly string[])[]): Promise<void> {
  const clients = parties.flatMap((party, index) => {
    const address = gamePort(lobbies[index])
    if (address === undefined) throw new Error('the lobby shows no game port')
    return party.map((player) => new GameClient(player, address))
  })
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
