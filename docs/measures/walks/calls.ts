import type { Body, Ground } from './ground'

/** Prepares one call and returns it. Of two rounds with different players the first is the warm-up of the second. */
export type Prepare = (ground: Ground, round: number) => Promise<() => Promise<void>>

const lobbyOf = ({ call, clientKey: key }: Ground, player: string): Promise<Body> =>
  call('POST /v1/lobbies', { key, player, body: { queue_id: 'duel' } })

async function queued(ground: Ground, player: string): Promise<Body> {
  const lobby = await lobbyOf(ground, player)
  await ground.call(`POST /v1/lobbies/${lobby.lobby_id}/queue`, { key: ground.clientKey, player })
  return lobby
}

/** Returns a call in which a player reads a lobby and a backend renames a queue; no other walk changes a queue. */
const readAndRename: Prepare = async (ground, round) => {
  const { call, clientKey, serverKey } = ground
  const player = `eve${round}`
  const { lobby_id: id } = await lobbyOf(ground, player)
  return async () => {
    await call(`GET /v1/lobbies/${id}`, { key: clientKey, player })
    await call('PATCH /v1/queues/duel', { key: serverKey, body: { name: `Duel ${round}` } })
  }
}

const cancel: Prepare = async (ground, round) => {
  const player = `ann${round}`
  const { lobby_id: id } = await queued(ground, player)
  return async () => {
    await ground.call(`DELETE /v1/lobbies/${id}/queue`, { key: ground.clientKey, player })
  }
}

const createLobby: Prepare = async (ground, round) => {
  const readTo = await watchLobbies(ground)
  return async () => {
    const { lobby_id: id } = await lobbyOf(ground, `bob${round}`)
    await readTo(id)
  }
}

/**
 * Opens the feed of a project's lobbies. Resolves after the greeting with a function that reads until a given word
 * arrives.
 */
async function watchLobbies({ app, clock, serverKey }: Ground): Promise<(word: string) => Promise<void>> {
  const { body } = await app.request('/v1/events?kinds=lobby', { headers: { 'api-key': serverKey } })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  const readTo = async (word: string) => {
    for (let text = ''; !text.includes(word); ) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) throw new Error(`the feed ended before ${word}`)
      text += value
    }
  }
  await readTo('event: hello')
  // A feed that sent nothing for a second sends the next change at once.
  await new Promise(setImmediate)
  clock.advance(1_000)
  return readTo
}

const makeMatch: Prepare = async (ground, round) => {
  const { matchyard, orchestrator, queueKey, settle } = ground
  await queued(ground, `cat${round}`)
  await queued(ground, `dan${round}`)
  await settle()
  return async () => {
    const moved: string[] = []
    const stop = orchestrator.subscribe((instanceId) => moved.push(instanceId))
    await matchyard.matchmaking.runQueue(queueKey)
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers(moved)
    stop()
  }
}

/** The recorded calls, by the names that walks use. */
export const CALLS = { readAndRename, cancel, createLobby, makeMatch } satisfies Record<string, Prepare>
export type CallName = keyof typeof CALLS
