import type { Draft } from '../../commit/draft'
import type { Lobby } from '../../lobby/lobby'
import type { ByClient } from '../../lobby/on-lobby'
import { type StateSource, WRITTEN_BY_BACKEND } from '../../lobby/trusted-state'
import type { Ports } from '../../ports/ports'
import { fieldRightsOf, NO_RIGHTS } from '../../queue/field-rights'
import { type Queue, queueKey } from '../../queue/queue'
import type { JsonObject } from '../../shared/json'

interface Writing extends ByClient {
  readonly state?: JsonObject | undefined
}

/** Whether a call changes a player's state. False when a client sends no state and its token proves no fields. */
export const writesState = ({ state, client }: Writing): boolean =>
  state !== undefined || (client !== undefined && Object.keys(client.proven).length > 0)

/**
 * Returns the source of a state that a call writes, by the settings of the lobby's queue. The commit checks the version of the queue: while
 * a client writes a field, the field must not become trusted, and while anybody writes it, it must not become private.
 */
export async function stateSource(ctx: Ports, lobby: Lobby, writing: Writing, draft: Draft): Promise<StateSource> {
  if (!writesState(writing)) return { ...NO_RIGHTS, client: writing.client }
  const queue = await ctx.storage.get('queue', queueKey(lobby.projectId, lobby.queueId))
  return sourceIn(queue, writing, draft)
}

/** Returns the source of a state that a call writes, by a queue that has been read. */
export function sourceIn(queue: Queue | undefined, { client }: ByClient, draft: Draft): StateSource {
  if (queue === undefined) return client === undefined ? WRITTEN_BY_BACKEND : { ...NO_RIGHTS, client }
  draft.check('queue', queue)
  return { ...fieldRightsOf(queue), client }
}
