import { generateSync } from 'otplib/functional'
import type { Body, Caller } from '../../src/conformance/client'
import type { Studio } from '../../src/conformance/studio'

/** One prepared call: its caller, path and body, and another body to send under the same key. */
export interface Prepared {
  readonly call: Caller
  readonly path: string
  readonly body?: Body
  readonly other?: Body
}

export const duel = (studio: Studio) => studio.queue()
export const inDuel = async (studio: Studio) => {
  await duel(studio)
  return studio.lobby()
}
export const onLobby = async (
  studio: Studio,
  lobby: Body,
  rest: string,
  player = 'ann',
  body?: Body,
  other?: Body,
): Promise<Prepared> => ({
  call: studio.player(player),
  path: `/v1/lobbies/${lobby.lobby_id}${rest}`,
  body,
  other,
})

export async function gameServer(studio: Studio, what: string): Promise<Prepared> {
  await studio.build()
  const { instance_id: id } = await studio.server()
  await studio.world.settle()
  const token = studio.world.orchestrator.launches.find(({ instanceId }) => instanceId === id)?.config.token
  return { call: studio.world.as({ authorization: `Bearer ${token}` }), path: `/v1/servers/self/${what}` }
}

/** Proposes a match to ann and bob, who have not answered yet, and returns a lobby of it. */
export async function proposed(studio: Studio): Promise<Body> {
  const matchmaking = { teams: 2, players_per_team: 1, ready_check: { timeout: 30 } }
  await studio.queue({ matchmaking })
  const [lobby] = await studio.match()
  return lobby
}

/** Starts a match on a game server and lets bob leave, so that a seat is open. */
export async function withOpenSeat(
  studio: Studio,
  fields: Body = {},
): Promise<{ readonly match: string; readonly server: Caller }> {
  const { world } = studio
  await studio.queueWithServer({}, fields)
  const [lobby, left] = await studio.match()
  await studio.act('bob', left, 'POST', '/leave')
  const token = world.orchestrator.launches.at(-1)?.config.token
  return { match: `/v1/matches/${lobby.match_id}`, server: world.as({ authorization: `Bearer ${token}` }) }
}
/** Settings of a queue in which seats can be kept for friends. */
export const LATE = { matchmaking: { teams: 2, players_per_team: 1, late_join: true } }
const ranked = (...ranks: number[]) => ({ teams: ranks.map((rank, n) => ({ name: `team_${n + 1}`, rank })) })
export const won = { body: ranked(1, 2), other: ranked(2, 1) }
export const anyone = { body: { timeout: 60 }, other: { timeout: 61 } }

/** How to prepare a call, by operation. */
export type Preparations = Readonly<Record<string, (studio: Studio) => Promise<Prepared>>>

/** Adds a member to the project, and returns the path of the member. */
export async function onMember({ world, developer, projectId }: Studio): Promise<string> {
  const members = `/v1/projects/${projectId}/members`
  const { body: invitation } = await developer(`POST ${members}`, { role: 'viewer' })
  const person = { token: invitation.token, email: 'member@example.com', password: 'correct horse', name: 'Eve' }
  const { body } = await world.nobody('POST /v1/auth/join', person)
  return `${members}/${body.account_id}`
}

/** Creates a webhook, and returns the caller and the path for calls to it. */
export async function onWebhook({ backend }: Studio): Promise<{ readonly call: Caller; readonly path: string }> {
  const { body } = await backend('POST /v1/webhooks', { url: 'https://studio.example/hooks' })
  return { call: backend, path: `/v1/webhooks/${body.webhook_id}` }
}

/** Makes a problem that the service keeps, and returns its id. */
export async function problemOf(studio: Studio): Promise<string> {
  const { backend } = studio
  await studio.queue({ server_settings: { version_tag: 'missing' } })
  const { body } = await backend('GET /v1/problems')
  const [{ id }] = body.problems
  await backend(`POST /v1/problems/${id}/acknowledge`)
  return id
}

/** Returns a call by an operator to the machine of this node, without a body. */
export async function onMachine({ world }: Studio, action: string): Promise<Prepared> {
  const call = await world.operator()
  const { body } = await call('GET /v1/machines')
  return { call, path: `/v1/machines/${body.machines[0].machine_id}/${action}` }
}

/** Begins a second factor, and returns its secret. */
export async function begunFactor({ developer, account }: Studio): Promise<string> {
  const { body } = await developer('POST /v1/account/second-factor', { password: account.password })
  return body.secret
}

/** Returns a code of an authenticator, a number of 30-second steps from now. */
export const codeNow = ({ world }: Studio, secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(world.clock.now() / 1_000) + 30 * steps })
