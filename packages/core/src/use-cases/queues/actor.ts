import type { Ports } from '../../ports/ports'
import { type Actor, EMBEDDED } from '../../queue/queue-version'

/** Who calls, where it is not the program that embeds the service. */
export interface ByActor {
  /** The credential of whoever asks for the change, for the queue's history. Default: this program. */
  readonly by?: { readonly kind: 'key' | 'session'; readonly id: string } | undefined
}

/** With the name that the credential has now: the history goes on telling it when the key is gone. */
export async function actorOf(ctx: Ports, by: ByActor['by']): Promise<Actor> {
  if (by === undefined) return EMBEDDED
  const name = by.kind === 'key' ? (await ctx.storage.get('api-key', by.id))?.name : undefined
  return { ...by, name: name ?? null }
}
