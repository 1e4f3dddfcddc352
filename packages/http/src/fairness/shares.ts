import { levelsOf, type Party, STRANGERS, STRANGERS_PART } from './party'

interface Count {
  count: number
  readonly parts: Map<string, Count>
}

const none = (): Count => ({ count: 0, parts: new Map() })

/**
 * Maximum total number of accounts, projects, keys and addresses that are counted separately. If there are more, a new
 * caller is counted only under those of its names that are counted already.
 */
export const MAX_COUNTED = 10_000

/**
 * Numbers of calls by caller, which show whether a caller has less than an equal share. Shares are equal between
 * accounts, then between the projects of an account, the keys of a project, and the addresses of a key.
 */
export class Shares {
  private readonly all = none()
  /** Number of accounts, projects, keys and addresses that are counted separately. */
  counted = 0

  get total(): number {
    return this.all.count
  }

  /** Adds `cost` small calls to the counts of a caller. */
  add(party: Party, cost = 1): void {
    let at: Count | undefined = this.all
    at.count += cost
    for (const name of levelsOf(party)) {
      at = this.part(at, name)
      if (at === undefined) return
      at.count += cost
    }
  }

  /** Removes one call of a caller that `add` added with a cost of 1. */
  remove(party: Party): void {
    let at = this.all
    at.count--
    for (const name of levelsOf(party)) {
      const part = at.parts.get(name)
      if (part === undefined) return
      part.count--
      if (part.count <= 0) {
        this.counted -= sizeOf(part)
        at.parts.delete(name)
        return
      }
      at = part
    }
  }

  /**
   * Whether a caller has less than its share of `whole` on each level. The first call of a caller is always within its
   * share. `among` contains the callers between whom `whole` is divided, if these are not the callers counted here.
   */
  isBelow(party: Party, whole: number, among: Shares = this): boolean {
    let [at, others]: [Count | undefined, Count | undefined] = [this.all, among.all]
    let share = party.account === STRANGERS ? whole * STRANGERS_PART : whole
    for (const name of levelsOf(party)) {
      at = at?.parts.get(name)
      share /= Math.max(1, (others?.parts.size ?? 0) + (others?.parts.has(name) ? 0 : 1))
      others = others?.parts.get(name)
      if ((at?.count ?? 0) >= Math.max(1, share)) return false
    }
    return true
  }

  private part(of: Count, name: string): Count | undefined {
    const known = of.parts.get(name)
    if (known !== undefined || this.counted >= MAX_COUNTED) return known
    this.counted++
    const part = none()
    of.parts.set(name, part)
    return part
  }
}

const sizeOf = ({ parts }: Count): number => [...parts.values()].reduce((sum, part) => sum + sizeOf(part), 1)
