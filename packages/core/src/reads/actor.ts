import { type Actor, EMBEDDED } from '../access/actor'
import type { Ports } from '../ports/ports'

/** Author of a change, when it is not the embedding application. */
export interface ByActor {
  /** Credential of the change's author, for the queue's history. Default: the embedding application. */
  readonly by?:
    | {
        /** Kind of the credential. */
        readonly kind: 'key' | 'session'
        /** Id of the key or session. */
        readonly id: string
      }
    | undefined
}

/**
 * Returns the author of a change. It contains the present name of the API key, so that the queue's history shows the name even after the
 * key is deleted.
 */
export async function actorOf(ctx: Ports, by: ByActor['by']): Promise<Actor> {
  if (by === undefined) return EMBEDDED
  const name = by.kind === 'key' ? (await ctx.storage.get('api-key', by.id))?.name : undefined
  return { ...by, name: name ?? null }
}
