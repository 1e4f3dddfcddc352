/** Kind of the author of a change: an API key, a session, or the program that embeds the service. */
export const ACTOR_KINDS = ['key', 'session', 'embedded'] as const
/** Kind of the author of a change, one of `ACTOR_KINDS`. */
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** Author of a change. `name` is the name of the API key at that time; null for a key without a name, and for other authors. */
export interface Actor {
  /** Kind of the author. */
  readonly kind: ActorKind
  /** Id of the API key or session; null for the embedding program. */
  readonly id: string | null
  /** Name of the API key at the time of the change; null without one. */
  readonly name: string | null
}

export const EMBEDDED: Actor = { kind: 'embedded', id: null, name: null }
