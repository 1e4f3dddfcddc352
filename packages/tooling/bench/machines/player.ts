import { createSocket } from 'node:dgram'
import { setTimeout as wait } from 'node:timers/promises'
import type { Answer, Call } from '../../src/client'
import type { Cluster } from '../../src/many-nodes/cluster'

const LOOK_EVERY_MS = 250
const ANSWER_WITHIN_MS = 2_000
/** Number of datagrams that a player sends to its game server before it gives up, like a game that connects. */
const GREETINGS = 5

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
  readonly match_id: string | null
  readonly server: {
    readonly instance_id: string
    readonly network_ports: readonly { readonly host: string; readonly external_port: number }[]
  } | null
}

/** One match, as a player saw it. */
export interface Seen {
  readonly regions: readonly string[]
  readonly instanceId: string
  /** Address of the game server. */
  readonly host: string
  /** Whether the game server at this address answered with its id. */
  readonly isReached: boolean
  readonly waitedMs: number
}

/** Counts of calls that the players repeated on another node, because a node did not answer. */
export const repeated = { calls: 0 }

/** Makes a call to a node that runs, and repeats it on another node while nodes do not answer. */
async function callAny<T>({ nodes }: Cluster, call: Call, turn: number): Promise<Answer<T>> {
  for (let tries = 0; ; tries++) {
    const up = nodes.filter(({ isUp }) => isUp)
    try {
      const answer = await up[(turn + tries) % up.length]?.call<T>(call)
      if (answer !== undefined && answer.status < 500) return answer
      if (tries > 20) throw new Error(`${call.method} ${call.path}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
    } catch (error) {
      if (tries > 20) throw error
    }
    repeated.calls++
    await wait(LOOK_EVERY_MS)
  }
}

/**
 * Plays one match: searches with these regions, greets the game server at its address, and stays until the match ends.
 * Rejects when the player gets no match within `withinMs` milliseconds.
 */
export async function play(
  cluster: Cluster,
  { player, queue, regions, turn }: { player: string; queue: string; regions: readonly string[]; turn: number },
  withinMs = 180_000,
): Promise<Seen> {
  const body = { queue_id: queue, state: { regions } }
  const made = await callAny<LobbyBody>(cluster, { method: 'POST', path: '/v1/lobbies', player, body }, turn)
  const path = `/v1/lobbies/${made.body.lobby_id}`
  const queued = await callAny(cluster, { method: 'POST', path: `${path}/queue`, player }, turn + 1)
  // A repeated call of a player who is in the queue already is a conflict.
  if (queued.status !== 200 && queued.status !== 409) throw new Error(`${path}: ${JSON.stringify(queued.body)}`)
  const since = performance.now()
  const read = async () => (await callAny<LobbyBody>(cluster, { method: 'GET', path }, turn)).body
  let lobby = await read()
  for (; lobby.status !== 'in_game'; lobby = await read()) {
    if (lobby.status === 'waiting' || performance.now() - since > withinMs)
      throw new Error(`${player} got no match: ${JSON.stringify(lobby)}`)
    await wait(LOOK_EVERY_MS)
  }
  const waitedMs = performance.now() - since
  const { server } = lobby
  const [port] = server?.network_ports ?? []
  if (server === null || port === undefined) throw new Error(`${player} got no address: ${JSON.stringify(lobby)}`)
  const isReached = (await greet(player, port.host, port.external_port)) === server.instance_id
  while (lobby.status === 'in_game') {
    await wait(LOOK_EVERY_MS * 2)
    lobby = await read()
  }
  return { regions, instanceId: server.instance_id, host: port.host, isReached, waitedMs }
}

/** Sends datagrams to a game server until one is answered. Returns the answer; undefined without one. */
async function greet(player: string, host: string, port: number): Promise<string | undefined> {
  for (let tries = 0; tries < GREETINGS; tries++) {
    const socket = createSocket('udp4')
    const answer = await new Promise<string | undefined>((resolve) => {
      socket.on('message', (text) => resolve(text.toString())).on('error', () => resolve(undefined))
      socket.send(player, port, host)
      setTimeout(() => resolve(undefined), ANSWER_WITHIN_MS / GREETINGS)
    })
    socket.close()
    if (answer !== undefined) return answer
  }
  return undefined
}
