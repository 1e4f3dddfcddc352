import { type Commit, type CommitResult, OutcomeUnknown, type Storage, StorageUnavailable } from '@matchyard/core/ports'
import type { PortSurroundings } from './port-surroundings'
import { type Life, never, whenItGoes } from './scheduler'
import { silentLine } from './silent-line'
import { standStill } from './stand-still'

/**
 * On average, one of this many answers is late: other calls continue between the effect of a call and the arrival of
 * its answer.
 */
const LATE_ANSWERS = 4

/**
 * Returns a storage whose calls wait for their turns (see `Scheduler`) and may fail in the ways that the storage port
 * allows.
 */
export function scheduledStorage(raw: Storage, life: Life, around: PortSurroundings): Storage {
  const { scheduler, faults } = around
  const { nodeId } = life
  const line = silentLine(life, around)

  const answer = async <T>(result: T, what: string): Promise<T> => {
    if (scheduler.random.int(LATE_ANSWERS) === 0) await scheduler.turn(life, `hears of ${what}`)
    return result
  }

  const call =
    (path: string, run: (...args: never[]) => Promise<unknown>) =>
    async (...args: never[]): Promise<unknown> => {
      await scheduler.turn(life, path)
      if (faults.strikes('stands-still', nodeId)) await standStill(life, around, path)
      if (faults.strikes('crash-anywhere', nodeId)) return crashed(around, nodeId)
      if (faults.strikes('storage-unavailable', nodeId)) throw new StorageUnavailable('simulated: no connection')
      if (line.isSilent()) {
        await line.giveUp(path, () => run(...args))
        throw new StorageUnavailable('simulated: no answer')
      }
      return answer(await line.slowly(path, () => run(...args)), path)
    }

  const commit = async (change: Commit): Promise<CommitResult> => {
    await scheduler.turn(life, `commit ${summary(change)}`)
    if (faults.strikes('stands-still', nodeId)) await standStill(life, around, 'commit')
    if (faults.strikes('crash-before-commit', nodeId)) return crashed(around, nodeId)
    if (faults.strikes('storage-unavailable', nodeId)) throw new StorageUnavailable('simulated: no connection')
    if (faults.strikes('outcome-unknown-refused', nodeId)) throw new OutcomeUnknown(change.id)
    if (line.isSilent()) {
      await line.giveUp('commit', () => raw.commit(change))
      throw new OutcomeUnknown(change.id)
    }
    const [first] = change.writes
    if (first !== undefined && faults.strikes('conflict', nodeId)) {
      return { ok: false, conflict: { kind: first.kind, id: first.id, on: 'version' } }
    }
    const result = await line.slowly('commit', () => raw.commit(change))
    if (faults.strikes('crash-after-commit', nodeId)) return crashed(around, nodeId)
    if (faults.strikes('outcome-unknown-applied', nodeId)) throw new OutcomeUnknown(change.id)
    if (result.ok) around.applied()
    return answer(result, 'commit')
  }

  const wrapped = wrapCalls(raw, call)
  return {
    ...wrapped,
    commit,
    // A crashed node receives no signals.
    subscribe: (listener) => raw.subscribe((signal) => whenItGoes(life, () => listener(signal))),
  }
}

function crashed<T>(around: PortSurroundings, nodeId: string): Promise<T> {
  around.crash(nodeId)
  return never<T>()
}

type AnyCall = (...args: never[]) => Promise<unknown>

/**
 * Returns the storage with every function, including the functions of its groups, replaced by `wrap` with the
 * function's path.
 */
function wrapCalls(raw: Storage, wrap: (path: string, run: AnyCall) => AnyCall): Storage {
  const wrapGroup = (group: object, prefix: string): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(group).map(([name, member]) => {
        if (typeof member === 'function') return [name, wrap(prefix + name, member.bind(group) as AnyCall)]
        if (typeof member === 'object' && member !== null) return [name, wrapGroup(member, `${prefix}${name}.`)]
        return [name, member]
      }),
    )
  return wrapGroup(raw, '') as unknown as Storage
}

const summary = (change: Commit): string =>
  change.writes.map((write) => `${write.kind} ${write.id.slice(-9)}`).join(', ') || `${change.jobs.length} jobs`
