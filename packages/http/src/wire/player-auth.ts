import { z } from '@hono/zod-openapi'
import {
  type JsonObject,
  PLAYER_AUTH_MODES,
  PROOF_ALGORITHMS,
  type ShownIssuer,
  type ShownPlayerAuth,
} from '@matchyard/core'
import { CLAIM_LENGTH, ISSUER_LENGTH, JWKS_URL_LENGTH, MAX_ISSUERS } from '@matchyard/core/domain'
import { answerOf, bodyOf, given, listOf, optional, plain, required, told } from './codec/index'
import { freeForm, oneOf, string, text } from './shared'

const algorithm = oneOf(PROOF_ALGORITHMS)
const mode = oneOf(PLAYER_AUTH_MODES)

/**
 * Body of an issuer, with at most one of `jwks_url`, `jwks` and `generate_secret`. If all three are missing, the issuer
 * keeps its secret.
 */
const issuerBody = bodyOf(
  {
    issuer: required(text(ISSUER_LENGTH), 'Name of the issuer, exactly as in `iss` of its tokens.'),
    audience: optional(
      text(ISSUER_LENGTH),
      'Audience that `aud` of its tokens must contain; without it any audience is accepted.',
    ),
    algorithms: optional(
      plain(z.array(algorithm.body)),
      "Accepted signature algorithms; by default the algorithms of the issuer's keys.",
    ),
    jwksUrl: optional(text(JWKS_URL_LENGTH), 'https address of its JSON Web Key Set.'),
    jwks: optional(freeForm, 'Its public keys as a JSON Web Key Set, in place of `jwks_url`.'),
    generateSecret: optional(
      plain(z.literal(true)),
      'Whether the service generates a secret, which the answer shows only once.',
    ),
    playerClaim: optional(text(CLAIM_LENGTH), 'Claim that names the player; `sub` by default.'),
    stateClaim: optional(text(CLAIM_LENGTH), 'Claim with the values of `trusted_fields`; `state` by default.'),
  },
  'PlayerIssuerSettings',
  'An issuer of player tokens. Set one of `jwks_url`, `jwks` and `generate_secret`, or none of them to keep its generated secret.',
)

const issuers = {
  body: z.array(issuerBody.body).max(MAX_ISSUERS, `must have at most ${MAX_ISSUERS} issuers`),
  decode: (sent: Parameters<typeof issuerBody.decode>[0][]) => sent.map(issuerBody.decode),
  names: issuerBody.names && { items: issuerBody.names },
}

export const playerAuthSettings = bodyOf({
  mode: required(mode, '`trusted`: the game names the player. `signed`: a token of an issuer names the player.'),
  issuers: optional(issuers, 'Issuers whose tokens are accepted.'),
})

const urlOf = ({ keys }: ShownIssuer) => (keys.kind === 'url' ? keys.url : undefined)
const setOf = ({ keys }: ShownIssuer): JsonObject | undefined =>
  keys.kind === 'jwks' ? { keys: [...keys.keys] } : undefined

const issuer = answerOf<ShownIssuer>()(
  {
    issuer: required(string, 'Name of the issuer, exactly as in `iss` of its tokens.'),
    audience: given(string, 'Audience that `aud` of its tokens must contain; without it any audience is accepted.'),
    algorithms: required(listOf(algorithm), 'Accepted signature algorithms.'),
    jwksUrl: told(
      { answer: z.string().optional(), encode: (url: string | undefined) => url },
      urlOf,
      'Address of its public keys, if one was sent.',
    ),
    jwks: told(
      { answer: freeForm.answer.optional(), encode: (set: JsonObject | undefined) => set },
      setOf,
      'Its public keys, if they were sent.',
    ),
    playerClaim: required(string, 'Claim that names the player; `sub` by default.'),
    stateClaim: required(string, 'Claim with the values of `trusted_fields`; `state` by default.'),
    secret: given(string, 'Secret for HS256: base64url of 32 bytes, shown only once.'),
  },
  'PlayerIssuer',
  'An issuer of player tokens.',
)

export const playerAuth = answerOf<ShownPlayerAuth>()(
  {
    mode: required(mode, '`trusted`: the game names the player. `signed`: a token of an issuer names the player.'),
    issuers: required(listOf(issuer), 'Issuers whose tokens are accepted.'),
  },
  'PlayerAuth',
  'How the players of a project prove their identity.',
)
