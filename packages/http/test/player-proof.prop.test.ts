import { mintPlayerToken } from '@matchyard/testkit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Answer, Body } from './harness/client'
import { provingService, setPlayerAuth } from './harness/player-auth'
import {
  type Auth,
  type Believed,
  believed,
  ISSUERS,
  type ModelLobby,
  PLAYERS,
  type Token,
  written,
} from './harness/proof-model'
import type { Service } from './harness/service'
import { makeQueue, openStudio, type Studio } from './harness/studio'

// For any sequence of calls, with any proof of identity, the service does exactly the calls that the documents allow,
// in the name of the player that they define.
const SEQUENCES = Number(process.env.MATCHYARD_PROVE ?? 50)

const player = fc.constantFrom(...PLAYERS)
const rating = fc.option(fc.constantFrom(1, 2, 3), { nil: undefined })

/** Returns mostly the right value, so that most calls have at most one fault. */
const mostly = <T>(right: T, ...wrong: readonly T[]) =>
  fc.oneof({ weight: 10, arbitrary: fc.constant(right) }, { weight: 2, arbitrary: fc.constantFrom(...wrong) })

const token = fc.record({
  /** Secret that signs the token: the present one, the previous one, that of another project, or an unknown one. */
  by: mostly('now', 'before', 'another project', 'nobody'),
  issuer: mostly(0, 1),
  as: mostly('the caller', 'somebody'),
  /** Seconds from now until the token expires. */
  lives: mostly(300, 3_600, 86_400, 86_470, -30, -59, -60, -600),
  audience: mostly(undefined, 'ours', 'theirs'),
  mmr: rating,
})

const who = fc.record({
  player,
  other: player,
  key: mostly('client', 'server', 'foreign'),
  header: fc.oneof(fc.constantFrom('own', 'none'), mostly('own', 'none', 'other')),
  token: fc.option(token, { nil: undefined, freq: 8 }),
})

const act = fc.record({
  kind: fc.constantFrom(
    ...(['create', 'create', 'create', 'create', 'join', 'join', 'join', 'state', 'state', 'state'] as const),
    ...(['leave', 'kick', 'rename', 'rename', 'mine', 'delete'] as const),
  ),
  who,
  lobby: fc.nat(7),
  target: player,
  mmr: rating,
})
const change = fc.record({
  kind: fc.constant('auth' as const),
  mode: fc.constantFrom('signed' as const, 'signed' as const, 'trusted' as const),
  /** Change of each issuer: kept, given a new secret, or removed. */
  issuers: fc.tuple(fc.constantFrom('kept', 'kept', 'new', 'new', 'gone'), fc.constantFrom('kept', 'new', 'gone')),
})
const time = fc.record({ kind: fc.constant('time' as const), seconds: fc.constantFrom(1, 30, 59, 61, 4_000) })
const sequence = fc.array(
  fc.oneof({ weight: 14, arbitrary: act }, { weight: 2, arbitrary: change }, { weight: 1, arbitrary: time }),
  { minLength: 1, maxLength: 40, size: 'max' },
)

type Step = typeof sequence extends fc.Arbitrary<(infer T)[]> ? T : never
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

const NOBODYS = Buffer.alloc(32, 7).toString('base64url')

/** A service, and the model of its expected state. */
class Trial {
  auth: Auth = { mode: 'trusted', secrets: new Map() }
  private readonly before = new Map<string, string>()
  private readonly lobbies = new Map<string, ModelLobby>()

  private constructor(
    private readonly service: Service,
    private readonly studio: Studio,
    private readonly foreign: Studio,
    private readonly foreignSecret: string,
    readonly done: Map<string, number>,
  ) {}

  static async begin(done: Map<string, number>): Promise<Trial> {
    const service = await provingService()
    const [studio, foreign] = [await openStudio(service), await openStudio(service)]
    for (const one of [studio, foreign]) await makeQueue(service, one, { trusted_fields: ['mmr'] })
    const issuers = [{ issuer: ISSUERS[0], generate_secret: true }]
    const theirs = await setPlayerAuth(service, foreign, { mode: 'signed', issuers })
    const trial = new Trial(service, studio, foreign, theirs.issuers[0].secret, done)
    await trial.change({ kind: 'auth', mode: 'signed', issuers: ['new', 'gone'] })
    return trial
  }

  async step(step: Step): Promise<void> {
    if (step.kind === 'time') this.service.clock.advance(step.seconds * 1_000)
    else if (step.kind === 'auth') await this.change(step)
    else await this.act(step)
  }

  private async change({ mode, issuers: fates }: Extract<Step, { kind: 'auth' }>): Promise<void> {
    const wishes = ISSUERS.flatMap((issuer, index) => {
      const known = this.auth.secrets.has(issuer)
      if (fates[index] === 'gone' || (fates[index] === 'kept' && !known)) return []
      return [{ issuer, ...(fates[index] === 'new' ? { generate_secret: true } : {}) }]
    })
    // The mode `signed` needs an issuer.
    const asked = mode === 'signed' && wishes.length === 0 ? 'trusted' : mode
    const { issuers } = await setPlayerAuth(this.service, this.studio, { mode: asked, issuers: wishes })
    for (const [issuer, secret] of this.auth.secrets) this.before.set(issuer, secret)
    const secrets = issuers.map((one: Body) => [one.issuer, one.secret ?? this.auth.secrets.get(one.issuer)])
    this.auth = { mode: asked, secrets: new Map(secrets) }
  }

  private tokenOf({ who: { player, other, key, token } }: Act): Token | undefined {
    if (token === undefined) return undefined
    const issuer = ISSUERS[token.issuer] ?? ISSUERS[0]
    const secrets = {
      now: this.auth.secrets.get(issuer),
      before: this.before.get(issuer),
      'another project': this.foreignSecret,
      nobody: undefined,
    }
    const secret = secrets[token.by as keyof typeof secrets] ?? NOBODYS
    const playerId = token.as === 'the caller' ? player : other
    const projectId = key === 'foreign' ? this.foreign.projectId : this.studio.projectId
    const at = this.service.clock.now()
    const text = mintPlayerToken({
      ...{ secret, issuer, playerId, at, expiresInSeconds: token.lives },
      ...(token.mmr === undefined ? {} : { state: { mmr: token.mmr } }),
      ...(token.audience === undefined ? {} : { audience: token.audience === 'ours' ? projectId : 'proj_theirs' }),
      claims: { iat: Math.floor(at / 1_000) - 7_200 },
    })
    const expiresAt = (Math.floor(at / 1_000) + token.lives) * 1_000
    return { text, issuer, secret, playerId, expiresAt, mmr: token.mmr, isForUs: token.audience !== 'theirs' }
  }

  private async act(step: Act): Promise<void> {
    const { who } = step
    const { player, other } = who
    const header = { own: player, none: undefined, other }[who.header as 'own' | 'none' | 'other']
    const token = this.tokenOf(step)
    const foreign: Auth = { mode: 'signed', secrets: new Map([[ISSUERS[0], this.foreignSecret]]) }
    const auth = who.key === 'foreign' ? foreign : this.auth
    const by = believed(auth, { backend: who.key === 'server', header, token }, this.service.clock.now())
    const key = { client: this.studio.client, server: this.studio.server, foreign: this.foreign.client }[
      who.key as 'client' | 'server' | 'foreign'
    ]
    const call = (what: string, body?: object) =>
      this.service.call(what, {
        key,
        ...(header === undefined ? {} : { player: header }),
        ...(token === undefined ? {} : { token: token.text }),
        ...(body === undefined ? {} : { body }),
      })
    // A backend may delete a lobby without naming a player.
    const unnamed = who.key === 'server' && step.kind === 'delete' && header === undefined
    const answer = await this.send(step, call)
    const expected = 'code' in by && !unnamed ? by.code : this.expect(step, by, who.key === 'foreign', answer)
    this.done.set(expected, (this.done.get(expected) ?? 0) + 1)
    const got = answer.body?.code ?? 'done'
    expect(got, `${step.kind} of ${JSON.stringify(by)}`).toBe(expected)
  }

  private lobbyOf({ lobby }: Act): [string, ModelLobby] | undefined {
    const all = [...this.lobbies]
    return all[lobby % Math.max(1, all.length)]
  }

  private send(step: Act, call: (what: string, body?: object) => Promise<Answer>): Promise<Answer> {
    const path = `/v1/lobbies/${this.lobbyOf(step)?.[0] ?? 'lob_none'}`
    const state = step.mmr === undefined ? {} : { mmr: step.mmr }
    if (step.kind === 'create') return call('POST /v1/lobbies', { queue_id: 'duel', state })
    if (step.kind === 'join') return call(`POST ${path}/join`, { state })
    if (step.kind === 'leave') return call(`POST ${path}/leave`)
    if (step.kind === 'kick') return call(`DELETE ${path}/players/${step.target}`)
    if (step.kind === 'rename') return call(`PATCH ${path}/settings`, { name: `name ${step.lobby}` })
    if (step.kind === 'state') return call(`PATCH ${path}/players/${step.target}`, { state })
    if (step.kind === 'mine') return call('GET /v1/players/me/lobbies')
    return call(`DELETE ${path}`)
  }

  /** Returns the expected code of the refusal, or `done`. Applies a call that is done to the model. */
  private expect(step: Act, by: Believed, foreign: boolean, answer: Answer): string {
    const named = 'code' in by ? { playerId: '', client: false, mmr: undefined } : by
    const { playerId } = named
    if (step.kind === 'mine') return this.expectMine(foreign ? undefined : playerId, answer)
    if (step.kind === 'create') {
      const state = written(undefined, step.mmr, named)
      if (state === undefined) return 'PLAYER_STATE_FORBIDDEN'
      expect(answer.body.host_player_id).toBe(playerId)
      if (!foreign)
        this.lobbies.set(answer.body.lobby_id, { host: playerId, members: new Map([[playerId, state.mmr]]) })
      return 'done'
    }
    const [id, lobby] = this.lobbyOf(step) ?? []
    if (id === undefined || lobby === undefined || foreign) return 'LOBBY_NOT_FOUND'
    const { members } = lobby
    if (step.kind === 'join') {
      const state = written(members.get(playerId), step.mmr, named)
      if (state === undefined) return 'PLAYER_STATE_FORBIDDEN'
      members.set(playerId, state.mmr)
      return 'done'
    }
    if (step.kind === 'state') {
      if (!members.has(playerId) || !members.has(step.target)) return 'PLAYER_NOT_IN_LOBBY'
      if (playerId !== step.target && playerId !== lobby.host) return 'PLAYER_STATE_FORBIDDEN'
      // A token proves only the fields of its own player.
      const word = playerId === step.target ? named : { ...named, mmr: undefined }
      const state = written(members.get(step.target), step.mmr, word)
      if (state === undefined) return 'PLAYER_STATE_FORBIDDEN'
      members.set(step.target, state.mmr)
      return 'done'
    }
    if (step.kind === 'rename') return playerId === lobby.host ? 'done' : 'NOT_HOST'
    if (step.kind === 'delete') {
      if (playerId !== lobby.host && playerId !== '') return 'NOT_HOST'
      this.lobbies.delete(id)
      return 'done'
    }
    return this.expectDeparture(id, lobby, playerId, step.kind === 'leave' ? playerId : step.target)
  }

  private expectDeparture(id: string, lobby: ModelLobby, playerId: string, gone: string): string {
    if (gone !== playerId && playerId !== lobby.host) return 'NOT_HOST'
    if (!lobby.members.delete(gone)) return 'PLAYER_NOT_IN_LOBBY'
    const [next] = lobby.members.keys()
    if (next === undefined) this.lobbies.delete(id)
    else if (gone === lobby.host) lobby.host = next
    return 'done'
  }

  private expectMine(playerId: string | undefined, answer: Answer): string {
    if (playerId === undefined) return 'done'
    const theirs = [...this.lobbies].filter(([, { members }]) => members.has(playerId)).map(([id]) => id)
    expect(answer.body.data.map((one: Body) => one.lobby_id).sort()).toEqual(theirs.sort())
    return 'done'
  }

  /** Checks that the lobbies of the service are exactly those of the model. */
  async compare(): Promise<void> {
    const { body } = await this.service.call('GET /v1/lobbies?limit=100', { key: this.studio.server })
    const there = body.data.map((lobby: Body) => [
      lobby.lobby_id,
      lobby.host_player_id,
      lobby.players.map((one: Body) => [one.player_id, one.state.mmr]),
    ])
    const should = [...this.lobbies].map(([id, { host, members }]) => [id, host, [...members]])
    expect(there.sort()).toEqual(should.sort())
  }
}

it('a call does what its player may do, for whom the proof is good, and else nothing', {
  timeout: 60_000 + SEQUENCES * 1_000,
}, async () => {
  const done = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      const trial = await Trial.begin(done)
      for (const step of steps) await trial.step(step)
      await trial.compare()
    }),
    { numRuns: SEQUENCES },
  )
  // The test proves something only if all these outcomes occurred.
  const seen = ['done', 'INVALID_PLAYER_TOKEN', 'PLAYER_TOKEN_REQUIRED', 'PLAYER_ID_REQUIRED', 'NOT_HOST']
  for (const code of [...seen, 'PLAYER_STATE_FORBIDDEN', 'PLAYER_NOT_IN_LOBBY']) {
    expect(done.get(code) ?? 0, code).toBeGreaterThan(0)
  }
})
