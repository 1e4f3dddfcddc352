import type { Lobby } from '../lobby/lobby'
import type { Service } from '../node/service'
import { launchesServers } from '../ports/none'
import { mayLaunch } from '../queue/decide'
import { queueKey } from '../queue/queue'
import { unserved } from './machines'

/** Lobby as the calls that set its region return it. */
export interface LobbyAnswer extends Lobby {
  /** Warnings about settings with which a match of the lobby would fail. Absent when there are no warnings. */
  readonly warnings?: readonly string[]
}

/** Returns the lobby with a warning when it names a region that no machine serves, and its matches launch servers. */
export async function withLobbyWarnings(ctx: Service, lobby: Lobby): Promise<LobbyAnswer> {
  const { region, projectId, queueId } = lobby
  if (region === null || (await unserved(ctx, [region])).length === 0) return lobby
  const queue = await ctx.storage.get('queue', queueKey(projectId, queueId))
  if (queue === undefined || !mayLaunch(queue, launchesServers(ctx.orchestrator))) return lobby
  return { ...lobby, warnings: [`no machine serves ${region}: a match that starts there ${unservedOutcome(ctx)}`] }
}

/** Returns the end of a sentence about a match in a region without a machine. */
export const unservedOutcome = ({ settings }: Pick<Service, 'settings'>): string =>
  settings.regionFallback === 'any' ? 'runs in another region' : 'waits for capacity, and ends when none comes in time'
