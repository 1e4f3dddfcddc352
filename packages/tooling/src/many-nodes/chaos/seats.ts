import {
  checkLinearizable,
  type LobbyAnswer,
  type LobbyCall,
  type LobbyOperation,
  lobbyRegister,
} from '@matchyard/testkit/storage'
import type { Answer } from '../../client'
import { Following } from './following'
import type { ChaosWorld } from './world'

export const SEATS_QUEUE = 'seats'
export const SEATS = 4
const PLAYERS = ['ann', 'bob', 'cat', 'dan', 'eve']
/**
 * The most operations on one lobby, and the most operations with an unknown outcome among them. After that another
 * lobby is used.
 */
const MAX_OPERATIONS = 150
const MAX_UNKNOWN = 6

interface LobbyBody {
  readonly version: number
  readonly players: readonly { readonly player_id: string }[]
  readonly code?: string
}

/**
 * Makes players join, leave and read one lobby after another through random nodes. The answers must be linearizable: a
 * system with a single copy of the lobby could have given them.
 */
export async function playSeats(world: ChaosWorld): Promise<void> {
  while (world.loading) await recordLobby(world)
}

async function recordLobby(world: ChaosWorld): Promise<void> {
  const lobbyId = await world.makeLobby('host', SEATS_QUEUE)
  const following = new Following(world, lobbyId, 'host')
  const history: LobbyOperation[] = []
  let unknown = 0
  const player = async (name: string) => {
    let isIn = false
    while (world.loading && history.length < MAX_OPERATIONS && unknown < MAX_UNKNOWN) {
      const type: LobbyCall['type'] = world.random() < 0.3 ? 'read' : isIn ? 'leave' : 'join'
      const call: LobbyCall = type === 'read' ? { type } : { type, player: name }
      const calledAt = performance.now()
      const answer = await send(world, lobbyId, call)
      if (answer === undefined) unknown++
      // The service refused the call after too many conflicts, and the call had no effect. So the call says nothing
      // about the order of the operations.
      if (answer !== undefined && 'refused' in answer && answer.refused === 'CONFLICT') continue
      history.push({ call, calledAt, ...(answer && { answered: { at: performance.now(), answer } }) })
      if (type !== 'read') isIn = answer === undefined ? !isIn : type === 'join' && 'lobby' in answer
    }
  }
  await Promise.all(PLAYERS.map(player))
  for (let look = 0; look < world.cluster.nodes.length; look++) {
    const calledAt = performance.now()
    const answer = await send(world, lobbyId, { type: 'read' })
    if (answer !== undefined)
      history.push({ call: { type: 'read' }, calledAt, answered: { at: performance.now(), answer } })
  }
  judge(world, lobbyId, history)
  await following.finish(await versionOf(world, lobbyId))
}

function judge(world: ChaosWorld, lobbyId: string, history: readonly LobbyOperation[]): void {
  const { linearizable, explained } = checkLinearizable(
    lobbyRegister({ version: 1, players: ['host'] }, SEATS),
    history,
  )
  world.count('histories checked')
  for (const _ of history) world.count('operations recorded')
  if (linearizable) return
  const unexplained = history.filter((_, index) => !explained.includes(index)).slice(0, 8)
  world.violations.push(
    `the history of ${lobbyId} is not linearizable; ${explained.length} of ${history.length} operations can be ` +
      `explained, not these: ${JSON.stringify(unexplained)}`,
  )
}

async function send(world: ChaosWorld, lobbyId: string, call: LobbyCall): Promise<LobbyAnswer | undefined> {
  const path = `/v1/lobbies/${lobbyId}`
  if (call.type === 'read') return toAnswer(await world.attempt<LobbyBody>({ method: 'GET', path }))
  const { player, type } = call
  const body = type === 'join' ? { body: {} } : {}
  return toAnswer(await world.attempt<LobbyBody>({ method: 'POST', path: `${path}/${type}`, player, ...body }))
}

function toAnswer(answer: Answer<LobbyBody> | undefined): LobbyAnswer | undefined {
  if (answer === undefined) return undefined
  const { status, body } = answer
  if (status === 204) return { lobby: null }
  if (status !== 200) return { refused: body.code ?? `status ${status}` }
  return { lobby: { version: body.version, players: body.players.map(({ player_id }) => player_id) } }
}

async function versionOf(world: ChaosWorld, lobbyId: string): Promise<number> {
  return (await world.insist<LobbyBody>({ method: 'GET', path: `/v1/lobbies/${lobbyId}` })).body.version
}
