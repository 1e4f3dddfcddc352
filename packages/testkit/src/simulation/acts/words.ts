import { type ClientWord, type JsonObject, type Matchyard, ServiceError } from '@matchyard/core'
import type { PlayerTokenDesign } from '../../fakes/mint-player-token'
import { PLAYERS, TRUSTED_FIELD } from '../place'
import { at, type Scene, stateOf } from './scene'

/** A player's state in the form in which a call sends it, and the proof of its trusted fields. */
export interface Said {
  readonly state: JsonObject
  readonly client?: ClientWord | undefined
}

interface Speaker {
  readonly scene: Scene
  readonly matchyard: Matchyard
  readonly playerId: string
  /** Id of the player that the state belongs to. */
  readonly about: string
  readonly state: JsonObject
  readonly draw: number
}

/** Number of ranks that the backend gives to a player. All higher ranks are forged. */
const RANKS = 5
const rankOf = (playerId: string, n: number) => `${playerId}:${n}`
const ranked = (rank: string): JsonObject => ({ [TRUSTED_FIELD]: rank })

/** Returns a rank that the backend signs or writes for the given player, as a state. */
function vouched({ scene: { world }, draw }: Speaker, playerId: string): JsonObject {
  const rank = rankOf(playerId, draw % RANKS)
  world.proof.vouch(playerId, TRUSTED_FIELD, rank)
  return ranked(rank)
}

/** Returns a rank that no backend signs or writes for this player: a forged rank, or the rank of another player. */
function forged({ about, draw }: Speaker): JsonObject {
  const other = at(PLAYERS, draw) ?? 'ann'
  return ranked(draw % 3 === 0 && other !== about ? rankOf(other, 0) : rankOf(about, RANKS + (draw % 2)))
}

/** Returns the player's rank, if the lobby shows a rank for the player. */
function present({ scene: { lobby }, about }: Speaker): JsonObject {
  const rank = lobby?.players.find(({ playerId }) => playerId === about)?.state[TRUSTED_FIELD]
  return typeof rank === 'string' ? ranked(rank) : {}
}

/** Functions that make an invalid player token; such a token proves no field. */
const BAD: readonly ((speaker: Speaker) => Partial<PlayerTokenDesign>)[] = [
  () => ({ secret: 'A'.repeat(43) }),
  ({ playerId }) => ({ playerId: `${playerId}2` }),
  ({ scene: { world } }) => ({ at: world.clock.now() - 7_200_000 }),
  () => ({ audience: 'of another project' }),
]

/**
 * Returns a state as a call with the client key sends it over HTTP. `proven` are the fields that the player's token
 * proves.
 */
async function byClient(speaker: Speaker, more: JsonObject, proven?: JsonObject, bad = {}): Promise<Said> {
  const { scene, matchyard, playerId, state } = speaker
  const { proof, clock } = scene.world
  const token = proven && proof.token(playerId, proven, clock.now(), bad)
  return { state: { ...state, ...more }, client: await proof.identify(matchyard, playerId, token) }
}

type Way = (speaker: Speaker) => Promise<Said>

const byBackend: Way = async ({ state }) => ({ state })

const claims: Way = async (speaker) => byClient(speaker, forged(speaker))
const claimsMore: Way = async (speaker) => byClient(speaker, forged(speaker), vouched(speaker, speaker.playerId))
const badToken: Way = async (speaker) =>
  byClient(speaker, {}, forged(speaker), at(BAD, Math.floor(speaker.draw / 32))?.(speaker))

/** All ways to send a state. A dishonest way must have no effect. */
const WAYS: readonly Way[] = [
  ...[byBackend, byBackend, byBackend],
  async (speaker) => ({ state: { ...speaker.state, ...vouched(speaker, speaker.about) } }),
  async (speaker) => byClient(speaker, {}, vouched(speaker, speaker.playerId)),
  async (speaker) => {
    const own = vouched(speaker, speaker.playerId)
    return byClient(speaker, own, own)
  },
  async (speaker) => byClient(speaker, {}, {}),
  async (speaker) => byClient(speaker, {}),
  async (speaker) => byClient(speaker, present(speaker)),
  ...[claims, claims, claimsMore, claimsMore, badToken, badToken, badToken],
]

const REFUSED: readonly string[] = ['PLAYER_STATE_FORBIDDEN', 'INVALID_PLAYER_TOKEN']

/**
 * Runs a call that writes a player's state, in the way (see `WAYS`) that the command chooses. If the service refuses
 * the call, the function repeats it with an honest state, because most players want to play.
 */
export async function inWords<T>(
  scene: Scene,
  matchyard: Matchyard,
  { playerId, about = playerId }: { readonly playerId: string; readonly about?: string },
  run: (said: Said) => Promise<T>,
): Promise<T> {
  // The command's `salt` is a random number. Its lowest bits also decide whether a crashed node starts again, so the
  // choice here uses only the higher bits.
  const draw = Math.floor(scene.command.salt / 1_024)
  const say = at(WAYS, draw) ?? byBackend
  const speaker = { scene, matchyard, playerId, about, state: stateOf(scene), draw }
  try {
    return await run(await say(speaker))
  } catch (error) {
    if (!(error instanceof ServiceError && REFUSED.includes(error.code))) throw error
    scene.world.count(`a client is refused ${error.code}`)
    return run(await byBackend(speaker))
  }
}
