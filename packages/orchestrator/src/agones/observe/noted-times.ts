import type { Heard } from '../heard'
import type { GameServerItem } from '../kube/shapes'

/** Stores a time for each game server, as long as the game server exists. */
export class NotedTimes {
  private readonly noted = new Map<string, { readonly name: string; readonly at: number }>()

  of({ metadata }: GameServerItem): number | undefined {
    return this.noted.get(metadata.uid)?.at
  }

  note({ metadata: { uid, name } }: GameServerItem, at: number): void {
    this.noted.set(uid, { name, at })
  }

  forget({ metadata }: GameServerItem): void {
    this.noted.delete(metadata.uid)
  }

  /** Removes the times of game servers that no longer exist. */
  forgetGone({ servers }: Heard): void {
    for (const [uid, { name }] of this.noted) if (servers.byName(name)?.metadata.uid !== uid) this.noted.delete(uid)
  }
}
