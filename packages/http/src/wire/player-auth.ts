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

/** An issuer as it is sent: with one of `jwks_url`, `jwks` and `generate_secret`, or none to keep the secret that it has. */
const issuerBody = bodyOf(
  {
    issuer: required(text(ISSUER_LENGTH), 'As it stands in `iss` of its tokens, letter by letter.'),
    audience: optional(text(ISSUER_LENGTH), 'What `aud` of its tokens must name; anything where it is left out.'),
    algorithms: optional(plain(z.array(algorithm.body)), 'How it may sign; what its keys are for unless said.'),
    jwksUrl: optional(text(JWKS_URL_LENGTH), 'Where its public keys are read, a JSON Web Key Set; https.'),
    jwks: optional(freeForm, 'Its public keys, a JSON Web Key Set: in place of `jwks_url`.'),
    generateSecret: optional(plain(z.literal(true)), 'Draws a secret for it, which the answer shows this once.'),
    playerClaim: optional(text(CLAIM_LENGTH), 'The claim that names the player; `sub` unless said.'),
    stateClaim: optional(text(CLAIM_LENGTH), 'The claim with values of `trusted_fields`; `state` unless said.'),
  },
  'PlayerIssuerSettings',
  'Somebody who signs for players: with one of `jwks_url`, `jwks` and `generate_secret`, or none of them to keep the keys that it has.',
)

const issuers = {
  body: z.array(issuerBody.body).max(MAX_ISSUERS, `must be at most ${MAX_ISSUERS}`),
  decode: (sent: Parameters<typeof issuerBody.decode>[0][]) => sent.map(issuerBody.decode),
  names: issuerBody.names && { items: issuerBody.names },
}

export const playerAuthSettings = bodyOf({
  mode: required(mode, '`trusted`: a game says it itself. `signed`: by a token of an issuer.'),
  issuers: optional(issuers, 'Whose tokens are taken.'),
})

const urlOf = ({ keys }: ShownIssuer) => (keys.kind === 'url' ? keys.url : undefined)
const setOf = ({ keys }: ShownIssuer): JsonObject | undefined =>
  keys.kind === 'jwks' ? { keys: [...keys.keys] } : undefined

const issuer = answerOf<ShownIssuer>()(
  {
    issuer: required(string, 'As it stands in `iss` of its tokens, letter by letter.'),
    audience: given(string, 'What `aud` of its tokens must name; anything where it is left out.'),
    algorithms: required(listOf(algorithm), 'How it may sign.'),
    jwksUrl: told(
      { answer: z.string().optional(), encode: (url: string | undefined) => url },
      urlOf,
      'Where its public keys are read, where an address was sent.',
    ),
    jwks: told(
      { answer: freeForm.answer.optional(), encode: (set: JsonObject | undefined) => set },
      setOf,
      'Its public keys, where they were sent.',
    ),
    playerClaim: required(string, 'The claim that names the player; `sub` unless said.'),
    stateClaim: required(string, 'The claim with values of `trusted_fields`; `state` unless said.'),
    secret: given(string, 'base64url of 32 bytes, this once; HS256 signs with the bytes.'),
  },
  'PlayerIssuer',
  'Somebody who signs for players.',
)

export const playerAuth = answerOf<ShownPlayerAuth>()(
  {
    mode: required(mode, '`trusted`: a game says it itself. `signed`: by a token of an issuer.'),
    issuers: required(listOf(issuer), 'Whose tokens are taken.'),
  },
  'PlayerAuth',
  'How the players of a project prove who they are.',
)
