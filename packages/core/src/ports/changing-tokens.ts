import type { Instant } from '../shared/time'
import type { Tokens } from './tokens'

/** Two secrets of an installation while its secret is changed. */
export interface ChangingTokens {
  /** Tokens of the new secret. */
  readonly next: Tokens
  /** Tokens of the previous secret. */
  readonly previous: Tokens
  /** Instant from which the new secret signs; undefined: it has not been set yet, and the previous secret signs. */
  changesAt(): Instant | undefined
  now(): Instant
}

/**
 * Returns tokens that accept the signatures of two secrets. One of the two signs: the previous secret before the instant of the change, and
 * the new secret from then on. So every node can verify what another node signs, while nodes get the new secret one after the other.
 */
export function changingTokens({ next, previous, changesAt, now }: ChangingTokens): Tokens {
  const inForce = (at: Instant = now()) => {
    const from = changesAt()
    return from === undefined || at < from ? previous : next
  }
  const each = () => (inForce() === next ? [next, previous] : [previous, next])
  return {
    hash: next.hash,
    signWith: next.signWith,
    seal: next.seal,
    unseal: next.unseal,
    issueJoinToken: next.issueJoinToken,
    sign: (purpose, text) => inForce().sign(purpose, text),
    signEach: (purpose, text) => each().map((one) => one.sign(purpose, text)),
    verify: (purpose, text, signature) => each().some((one) => one.verify(purpose, text, signature)),
    derive: (purpose, text, at) => inForce(at).derive(purpose, text),
    deriveEach: (purpose, text) => each().map((one) => one.derive(purpose, text)),
    issueSession: (claims) => inForce().issueSession(claims),
    readSession: async (token) => (await next.readSession(token)) ?? previous.readSession(token),
  }
}
