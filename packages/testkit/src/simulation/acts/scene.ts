import type { Lobby, Matchyard, Region } from '@matchyard/core'
import type { Command } from '../commands'
import type { Snapshot } from '../invariants/snapshot'
import type { SimulatedNode } from '../node'
import { PLAYERS } from '../place'
import type { World } from '../world'

export const MODES = ['ctf', 'koth']
export const at = <T>(items: readonly T[], index: number): T | undefined => items[index % Math.max(1, items.length)]

/** The objects of one action. The command's numbers choose them among the objects that exist now. */
export interface Scene {
  readonly world: World
  readonly command: Command
  readonly node: SimulatedNode
  readonly projectId: string
  readonly lobby: Lobby | undefined
  /** The player that acts: in most cases the host of the lobby, sometimes any player. */
  readonly actor: string
  readonly somebody: string
  readonly now: Snapshot
}

export type Act = (scene: Scene) => void

export const stateOf = ({ command }: Scene) => ({
  ...{ mmr: (command.c % 4) * 60, mode: at(MODES, command.c) ?? 'ctf' },
  ...(command.b % 5 === 0 ? { avoid: [at(PLAYERS, command.b) ?? 'ann'] } : {}),
})
/** Returns the region for which a call asks; empty when it asks for none, and where every machine serves all regions. */
export const regionAsked = ({ world, command }: Scene): { readonly region?: Region } => {
  const region = at(['iad', 'fra', 'ams', undefined] as const, command.b)
  return world.regions.size === 0 || region === undefined ? {} : { region }
}
export const queueOf = ({ command }: Scene) =>
  at(['duel', 'duel', 'hardy', 'hardy', 'squads', 'asked', 'asked', 'asked', 'casual'], command.a) ?? 'duel'

/** Returns an action that the player `actor` does on the lobby. */
export const onLobby =
  (
    name: string,
    run: (
      matchyard: Matchyard,
      on: { projectId: string; lobbyId: string; playerId: string },
      scene: Scene,
    ) => Promise<unknown>,
  ): Act =>
  (scene) => {
    const { world, node, projectId, lobby, actor } = scene
    if (lobby === undefined) return
    world.call(node, name, async (matchyard) => {
      const answer = await run(matchyard, { projectId, lobbyId: lobby.id, playerId: actor }, scene)
      if (isLobby(answer)) world.answered(answer)
    })
  }

const isLobby = (answer: unknown): answer is Lobby =>
  typeof answer === 'object' && answer !== null && 'hostPlayerId' in answer && 'version' in answer

export const bySomebody =
  (run: Parameters<typeof onLobby>[1]): Parameters<typeof onLobby>[1] =>
  (matchyard, on, scene) =>
    run(matchyard, { ...on, playerId: scene.somebody }, scene)
