import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../../src/client'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const PLAYERS = 16
const STATE = { filler: 'x'.repeat(15_000) }
const CALLS = 1_000
const AT_ONCE = 8

/** Creates a lobby whose JSON has a quarter of a megabyte, and returns the path for joining it. */
async function largeLobby(client: Client): Promise<string> {
  const made = await client.call<{ lobby_id: string }>({
    method: 'POST',
    path: '/v1/lobbies',
    player: 'p0',
    body: { queue_id: 'large', state: STATE },
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  const path = `/v1/lobbies/${made.body.lobby_id}/join`
  for (let n = 1; n < PLAYERS; n++) await client.call({ method: 'POST', path, player: `p${n}`, body: { state: STATE } })
  return path
}

/** Lets members join the lobby that they are already in: nothing changes, and each answer is the whole lobby. */
async function joinAgain(client: Client, path: string, keyed: boolean): Promise<void> {
  let next = 0
  const caller = async () => {
    for (let n = next++; n < CALLS; n = next++) {
      const headers = keyed ? { 'idempotency-key': `again-${n}` } : {}
      const { status } = await client.call({ method: 'POST', path, player: `p${n % PLAYERS}`, headers })
      if (status !== 200) throw new Error(`a join was answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
}

const megabytesOf = (directory: string): number =>
  ['', '-wal']
    .map((rest) => join(directory, `matchyard.db${rest}`))
    .reduce((sum, file) => sum + (existsSync(file) ? statSync(file).blocks * 512 : 0), 0) / 1e6

async function side(keyed: boolean): Promise<{ readonly grown: number; readonly ms: number }> {
  const world = await HarmWorld.serve()
  const client = world.client()
  const backend = world.client(world.credentials.server_key)
  try {
    const queue = { queue_id: 'large', name: 'Large', max_players: PLAYERS }
    await backend.call({ method: 'POST', path: '/v1/queues', body: queue })
    const path = await largeLobby(client)
    const before = megabytesOf(world.directory)
    const startedAt = performance.now()
    await joinAgain(client, path, keyed)
    return { grown: megabytesOf(world.directory) - before, ms: (performance.now() - startedAt) / CALLS }
  } finally {
    client.close()
    backend.close()
    await world.stop()
  }
}

export const row: HarmRow = {
  name: 'kept-answers',
  harm: `${CALLS} calls with an idempotency key, each answered a quarter of a megabyte`,
  async run(): Promise<readonly HarmFigure[]> {
    const quiet = await side(false)
    const attacked = await side(true)
    return [
      { what: 'database and its log, grown by', unit: 'MB', quiet: quiet.grown, attacked: attacked.grown },
      { what: 'one call, mean', unit: 'ms', quiet: quiet.ms, attacked: attacked.ms },
    ]
  },
}
