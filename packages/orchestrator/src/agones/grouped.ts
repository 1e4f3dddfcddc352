/**
 * An index of names by group. Reading one group takes time in proportion to the size of the group, not to the number of
 * all names.
 */
export class Grouped {
  private readonly names = new Map<string, Set<string>>()
  private readonly groupOf = new Map<string, string>()

  /** The groups that have at least one name. */
  get groups(): readonly string[] {
    return [...this.names.keys()]
  }

  of(group: string): readonly string[] {
    return [...(this.names.get(group) ?? [])]
  }

  has(group: string): boolean {
    return this.names.has(group)
  }

  /** Moves a name to a group. With undefined, removes the name from its group. */
  put(name: string, group: string | undefined): void {
    const before = this.groupOf.get(name)
    if (before === group) return
    if (before !== undefined) this.leave(name, before)
    if (group === undefined) return void this.groupOf.delete(name)
    this.groupOf.set(name, group)
    const names = this.names.get(group)
    if (names === undefined) this.names.set(group, new Set([name]))
    else names.add(name)
  }

  private leave(name: string, group: string): void {
    const names = this.names.get(group)
    names?.delete(name)
    if (names?.size === 0) this.names.delete(group)
  }
}
